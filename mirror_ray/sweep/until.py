"""`until` of a sweep: when to stop early, declared before the first request."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Rule: TypeAlias = Literal["verdict", "best_of", "half_width"]

RULES: tuple[Rule, ...] = ("verdict", "best_of", "half_width")


@dataclass(frozen=True, slots=True)
class Until:
    """When a sweep stops early.

    Args:
        rule: "verdict": two models are compared until the rest of the design would hardly change
            the verdict; "best_of": a model is played until it is unlikely to be as good as the
            best; "half_width": a cell is played until its interval is narrow.
        bound: the least probability, or the largest half width of a share's 95 % interval.
        least_units: units with a score before anything is decided early.
        round_units: units between two decisions.
    """

    rule: Rule
    bound: float
    least_units: int
    round_units: int

    @property
    def in_words(self) -> str:
        """The rule, for a person."""
        after = f"; checked every {self.round_units} units, from {self.least_units} on"
        match self.rule:
            case "verdict":
                what = f"a pair of models is settled at {self.bound:g} for the planned verdict"
            case "best_of":
                what = f"a model is dropped at {self.bound:g} for being worse than the best"
            case "half_width":
                what = f"a cell ends once its 95 % interval is within ±{self.bound:g}"
        return what + after
