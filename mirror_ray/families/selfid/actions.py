"""A player's actions, and the steps it is told about."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Action: TypeAlias = Literal["w", "a", "s", "d", "done"]


@dataclass(frozen=True, slots=True)
class PastStep:
    """What a model is told about an earlier step; without an action if its reply was unreadable."""

    action: Action | None
    reasoning: str
    summary: str
