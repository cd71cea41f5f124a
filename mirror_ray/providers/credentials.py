"""The requirements of calling a model: keys, credentials, packages. Only names are returned, never
a variable's value."""

from collections.abc import Mapping
from importlib.util import find_spec

from mirror_ray.providers.model import Model


def wanted_env(model: Model, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the environment variables that the model needs; of several sets of credentials, the
    first one with the fewest missing."""
    nearest = min(model.needs_env, key=lambda names: len(_unset(names, environ)), default=())
    return (*_keys(model), *nearest)


def missing_env(model: Model, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return those of `wanted_env` that are unset or empty."""
    return _unset(wanted_env(model, environ), environ)


def missing_keys(model: Model, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables sent with a call that are unset or empty."""
    return _unset(_keys(model), environ)


def missing_packages(model: Model) -> tuple[str, ...]:
    """Return the packages that the model's provider needs and that are not installed here."""
    return tuple(package for package in model.needs_packages if not _is_installed(package))


def _keys(model: Model) -> tuple[str, ...]:
    key = (model.api_key_env,) if model.api_key_env is not None else ()
    return (*key, *model.extra_headers_env.values())


def _unset(names: tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for name in names if not environ.get(name))


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package.partition(".")[0]) is not None
    # Names that no module can have.
    except (ImportError, ValueError):
        return False
