"""Where an episode's page leads to."""

from collections.abc import Callable
from dataclasses import dataclass

Source = Callable[[int, str], str]
"""(number of the ask, name of the picture) → the address of the picture."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where an episode's page leads to; None: nowhere."""

    up: str | None = None
    before: str | None = None
    after: str | None = None
