"""What calling a model requires: keys, credentials, packages. Also finds unusable keys, which would
fail at the first call with an obscure message. No variable's value is shown."""

import os
import re
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from urllib.parse import urlsplit

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.providers.model import Model


def wanted_env(model: Model, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables that the model needs; of several sets, the one with the fewest
    missing."""
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
    # No module can have these names.
    except (ImportError, ValueError):
        return False


_FAULTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), fault)
    for pattern, fault in shipped_yaml("mirror_ray.providers", "key_faults.yaml")
)
_ROUTES = (
    *("/chat/completions", "/completions", "/chat", "/messages", "/models", "/responses"),
    *("/v1/v1", "/docs"),
)
_VERSION = re.compile(r"/(?:v\d|openai|api)", re.IGNORECASE)


def unusable_keys(model: Model, values: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with the value of each variable that is sent with a call and is set."""
    faults = {name: fault_of_key(values.get(name) or "") for name in _keys(model)}
    return {name: fault for name, fault in faults.items() if fault is not None}


def fault_of_base_url(address: str) -> str | None:
    """Return a hint if clients cannot complete the address to ``…/chat/completions``."""
    path = urlsplit(address).path.rstrip("/")
    if path.endswith(_ROUTES):
        return "clients add /chat/completions themselves: end it after /v1"
    if not _VERSION.search(path):
        return "most servers answer below /v1: if calls get 404, end it with /v1"
    return None


def fault_of_key(value: str) -> str | None:
    """Return what is wrong with a key, without repeating any of it; None if nothing is."""
    return next((fault for pattern, fault in _FAULTS if pattern.search(value)), None)


class Credentials:
    """Environment variables to set elsewhere. They are not in Ray's runtime environment, which Ray
    would log."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def __repr__(self) -> str:
        return f"Keys({', '.join(self._values)})"

    def set_here(self) -> None:
        """Set them in this process's environment."""
        os.environ.update(self._values)


def credentials_of(models: Iterable[Model], environ: Mapping[str, str]) -> Credentials:
    """Return the variables that the models' calls need, as far as they are set."""
    names = names_of(models, environ)
    return Credentials({name: environ[name] for name in sorted(names) if name in environ})


def names_of(models: Iterable[Model], environ: Mapping[str, str]) -> set[str]:
    """Return the names of these variables, whether they are set or not."""
    return {name for model in models for name in wanted_env(model, environ)}
