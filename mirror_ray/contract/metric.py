"""What a metric is, said once: tables, intervals, tests, the report and its glossary follow.

Imports nothing, so that both analysis and play can import it.
"""

from dataclasses import dataclass
from typing import Literal

_Kind = Literal["share", "count", "difference"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a family.

    Args:
        name: snake_case; where it `is_score`, the column of ``episode.<family>`` it is a mean of.
        meaning: a sentence for the glossary; "" where the label speaks for itself.
        label: its heading; "": the name, with blanks.
        caption: two or three words after the label, over a panel.
        kind: a share (0 to 1), a count (0 and more), or a difference of shares (-1 to 1).
        direction: 1 where more is better, -1 where less is, None where neither.
        is_score: it is a mean of episodes' scores: units are resampled for its interval. Else the
            family's own view works it out.
        is_compared: models and conditions are compared on it, unit by unit, if it is a score.
        is_shown: one of the columns of the tables that people read first. The first that is leads.
        chance: SQL over ``episode.<family>``: what blind guessing scores; "" if undefined.
        needs_mirror: undefined in conditions without a mirror, which are those where
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
        """The least value there can be."""
        return -1.0 if self.kind == "difference" else 0.0

    @property
    def high(self) -> float | None:
        """The greatest value there can be; None of a count."""
        return None if self.kind == "count" else 1.0


@dataclass(frozen=True, slots=True)
class FamilyMetrics:
    """All metrics of a family, and on what they are compared.

    Args:
        metrics: in the order in which tables show them.
        unit: what one independent unit of evidence is, in the singular: a scene, a string.
        compared_on: SQL over ``episode.<family>``: the unit on which models and conditions are
            compared.
        holds: SQL over it: what else identifies a unit where `compared_on` alone does not:
            units of two conditions, or of two values of an axis, are the same if both are.
        own_play: SQL over it: which episodes their family's protocol played from the beginning, not
            from a step of another episode on.
        right_answer: the column of ``stage.<family>_episodes`` with the right answer; "" if none
            does.
    """

    metrics: tuple[Metric, ...]
    unit: str = "scene"
    compared_on: str = "cluster"
    holds: str = "''"
    own_play: str = "true"
    right_answer: str = ""

    @property
    def scores(self) -> tuple[Metric, ...]:
        """Those that are means of episodes' scores."""
        return tuple(metric for metric in self.metrics if metric.is_score)

    @property
    def compared(self) -> tuple[Metric, ...]:
        """Those of them on which models and conditions are compared."""
        return tuple(metric for metric in self.scores if metric.is_compared)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of those that the first tables show; the leading one first."""
        return tuple(metric.name for metric in self.metrics if metric.is_shown)

    @property
    def leading(self) -> str:
        """The name of the first of these: what one number says of a family."""
        return self.shown[0]

    def heading(self, name: str) -> str:
        """Return a metric's heading; for an unknown name, its words."""
        headings = {metric.name: metric.heading for metric in self.metrics}
        return headings.get(name, name.replace("_", " "))
