"""A player's actions, and earlier steps as prompts tell them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Action: TypeAlias = Literal["w", "a", "s", "d", "done"]


@dataclass(frozen=True, slots=True)
class PastStep:
    """A model's earlier step, as its prompt tells it; without an action if the reply was
    unreadable."""

    action: Action | None
    reasoning: str
    summary: str
