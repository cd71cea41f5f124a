"""Templates that escape everything, and the Content-Security-Policy of pages whose style and script
are inline: the policy allows them by their hashes."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment_of(package: str) -> Environment:
    """Make the environment of a package's folder `templates`."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def asset(package: str, name: str) -> str:
    """Read a file of a package's folder `assets`."""
    return (files(package) / "assets" / name).read_text(encoding="utf-8")


def own_policy(style: str, script: str) -> str:
    """Return the policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; base-uri 'none'; style-src '{_hash(style)}';"
        f" script-src '{_hash(script)}'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
