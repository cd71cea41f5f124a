"""What has to be there before a model can be asked: keys, credentials, packages.

Knows the names of environment variables and of packages; never hands on what a variable holds.
"""

from collections.abc import Mapping
from importlib.util import find_spec

from mirror_ray.providers.model import Model


def wanted_env(model: Model, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The environment variables that the model is asked with.

    Of several sets of credentials it is the one that lacks least, the first of equals.
    """
    key = (model.api_key_env,) if model.api_key_env is not None else ()
    nearest = min(model.needs_env, key=lambda names: len(_unset(names, environ)), default=())
    return (*key, *nearest)


def missing_env(model: Model, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Those of `wanted_env` that are unset or empty."""
    return _unset(wanted_env(model, environ), environ)


def missing_packages(model: Model) -> tuple[str, ...]:
    """The packages that the model's provider needs and that are not installed here."""
    return tuple(package for package in model.needs_packages if not _is_installed(package))


def _unset(names: tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for name in names if not environ.get(name))


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        # The package around a dotted name is not there either.
        return False
