"""Models' keys on their way to the processes that ask: hosts do not share an environment.

Knows names of environment variables; shows no value in any representation.
"""

import os
from collections.abc import Iterable, Mapping

from mirror_ray.providers.credentials import wanted_env
from mirror_ray.providers.model import Model


class Keys:
    """Environment variables, to be set where they are needed.

    A runtime environment of Ray's would do, but is written to its logs.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def __repr__(self) -> str:
        return f"Keys({', '.join(self._values)})"

    def set_here(self) -> None:
        """Makes them this process's own."""
        os.environ.update(self._values)


def keys_of(models: Iterable[Model], environ: Mapping[str, str]) -> Keys:
    """Whatever the models are asked with, as far as it is set."""
    names = {name for model in models for name in wanted_env(model, environ)}
    return Keys({name: environ[name] for name in sorted(names) if name in environ})
