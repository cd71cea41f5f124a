"""The definition of a metric, from which tables, intervals, tests and the report follow.

Imports nothing, so that both analysis and play can import it."""

from dataclasses import dataclass
from typing import Literal

_Kind = Literal["share", "count", "difference"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a family.

    Args:
        name: snake_case; for a score also the column of ``episode.<family>`` that it averages.
        meaning: a sentence for the glossary; "" if the label needs none.
        label: its heading; "": the name, with blanks.
        caption: two or three words after the label, over a panel.
        kind: a share (0 to 1), a count (0 and more), or a difference of shares (-1 to 1).
        direction: 1 if more is better, -1 if less is, None if neither.
        is_score: it is a mean of episodes' scores, and units are resampled for its interval.
            Otherwise the family's own view computes it.
        is_compared: if it is a score, models and conditions are compared on it, unit by unit.
        is_shown: it is a column of the first tables. The first of these is the leading metric.
        chance: SQL over ``episode.<family>``: the score of blind guessing; "" if undefined.
        needs_mirror: tables leave it out of conditions without a mirror, which are those where
            ``episode.<family>`` has `mirror_present` false in every episode.
    """

    name: str
    meaning: str = ""
    label: str = ""
    caption: str = ""
    kind: _Kind = "share"
    direction: Literal[1, -1] | None = 1
    is_score: bool = True
    is_compared: bool = True
    is_shown: bool = True
    chance: str = ""
    needs_mirror: bool = False

    @property
    def heading(self) -> str:
        """The heading of its column."""
        return self.label or self.name.replace("_", " ")

    @property
    def panel(self) -> str:
        """The heading of its panel."""
        return f"{self.heading} · {self.caption}" if self.caption else self.heading

    @property
    def low(self) -> float:
        """The smallest possible value."""
        return -1.0 if self.kind == "difference" else 0.0

    @property
    def high(self) -> float | None:
        """The largest possible value; None for a count."""
        return None if self.kind == "count" else 1.0


@dataclass(frozen=True, slots=True)
class FamilyMetrics:
    """All metrics of a family, and the units on which they are compared.

    Args:
        metrics: in the order in which tables show them.
        unit: the name of one independent unit of evidence, in the singular: a scene, a string.
        compared_on: SQL over ``episode.<family>``: the unit of comparisons.
        holds: SQL over the same view: what else identifies a unit if `compared_on` does not
            suffice. Units of two conditions, or of two values of an axis, are the same if both are
            equal.
        own_play: SQL over it: the episodes that were played by the family's protocol from the
            start, instead of from a step of another episode.
        right_answer: the column of ``stage.<family>_episodes`` with the answer; "" if none.
        our_words, our_words_in: the name of what has prompts that the family's paper does not
            print, and SQL over ``episode.<family>`` for whether an episode has such a prompt.
    """

    metrics: tuple[Metric, ...]
    unit: str = "scene"
    compared_on: str = "cluster"
    holds: str = "''"
    own_play: str = "true"
    right_answer: str = ""
    our_words: str = ""
    our_words_in: str = "true"

    @property
    def scores(self) -> tuple[Metric, ...]:
        """The metrics that are means of episodes' scores."""
        return tuple(metric for metric in self.metrics if metric.is_score)

    @property
    def compared(self) -> tuple[Metric, ...]:
        """The scores on which models and conditions are compared."""
        return tuple(metric for metric in self.scores if metric.is_compared)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the metrics in the first tables, the leading one first."""
        return tuple(metric.name for metric in self.metrics if metric.is_shown)

    @property
    def leading(self) -> str:
        """The name of the leading metric, the one number that summarizes the family."""
        return self.shown[0]

    def heading(self, name: str) -> str:
        """Return a metric's heading; for an unknown name, its words."""
        headings = {metric.name: metric.heading for metric in self.metrics}
        return headings.get(name, name.replace("_", " "))
