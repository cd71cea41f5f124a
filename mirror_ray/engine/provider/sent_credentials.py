"""Credentials of models, sent to the processes that need them, since hosts do not share an
environment. No repr shows a value."""

import os
from collections.abc import Iterable, Mapping

from mirror_ray.providers.credentials import wanted_env
from mirror_ray.providers.model import Model


class Credentials:
    """Environment variables, to be set where they are needed. Ray would write those of a runtime
    environment to its logs."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def __repr__(self) -> str:
        return f"Keys({', '.join(self._values)})"

    def set_here(self) -> None:
        """Sets them in this process's environment."""
        os.environ.update(self._values)


def credentials_of(models: Iterable[Model], environ: Mapping[str, str]) -> Credentials:
    """All variables with which the models are asked, as far as they are set."""
    names = names_of(models, environ)
    return Credentials({name: environ[name] for name in sorted(names) if name in environ})


def names_of(models: Iterable[Model], environ: Mapping[str, str]) -> set[str]:
    """The names of these variables, set or not."""
    return {name for model in models for name in wanted_env(model, environ)}
