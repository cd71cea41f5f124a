"""The environment of third-party programs: model servers, notification commands.

They get the variables that the YAML file lists, and those that the user names. They never get
models' keys, which are in the same environment."""

import os
import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from mirror_ray.core.shipped_files import shipped_yaml

_LISTED = shipped_yaml("mirror_ray.core", "child_environment.yaml")
SECRET_NAME = re.compile(
    r"KEY|SECRET|TOKEN|PASS|CRED|AUTH|COOKIE|BEARER|SIGNATURE|DSN|_(?:PAT|PIN)\b"
    # Shells keep the current folder in PWD and OLDPWD.
    r"|(?<!^)(?<!^OLD)PWD",
    re.IGNORECASE,
)
_FEWEST_CHARS = 8
"""The least length of a secret that is looked for in other variables."""


def child_environment(
    environ: Mapping[str, str], *, named: Collection[str] = (), keys: Collection[str] = ()
) -> dict[str, str]:
    """Return the environment variables that a third-party program gets.

    Args:
        environ: this process's.
        named: further variables, which the user names; secret ones too.
        keys: variables that contain models' keys, under any name.
    """
    secrets = {
        value
        for name, value in environ.items()
        if (name in keys or SECRET_NAME.search(name))
        and len(value) >= _FEWEST_CHARS
        # The folder with the keys may be the home folder.
        and not os.path.lexists(value)
    }
    return {
        name: value
        for name, value in environ.items()
        if name in named
        or (
            _is_listed(name)
            and name not in keys
            and not _may_be_secret(name, value)
            and not any(secret in value for secret in secrets)
        )
    }


def _is_listed(name: str) -> bool:
    is_named = name in _LISTED["names"] or name.upper() in _LISTED["proxies"]
    return is_named or name.startswith(tuple(_LISTED["prefixes"]))


def _may_be_secret(name: str, value: str) -> bool:
    """Judge a variable by its name, as settings in JSON, or as an address with a password."""
    if SECRET_NAME.search(name) or (value.lstrip()[:1] in ("{", "[") and SECRET_NAME.search(value)):
        return True
    try:
        # Programs accept a proxy without a scheme.
        return "@" in urlsplit(value if "//" in value else f"//{value}").netloc
    except ValueError:
        return True
