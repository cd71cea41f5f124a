"""How a condition's episodes are listed where that is not seeds × runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar

SUBJECT = "subject"
"""The role of the sweep's own models."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a stage: its keys other than conditions, variants and axes.

    Args:
        seeds, runs: as in the sweep file, the seeds listed.
        models: all models of the sweep, in its order.
        options: name → value of every option of the family, defaults included.
        where: file and key of the stage, for errors.
        limit: play only this many scenes of each cell, the first ones; None: all. May be ignored.
        shard: (number, count): of the remaining scenes, only those of this part of the sweep are
            played; None: all. Listings may ignore it too.
    """

    seeds: Sequence[int]
    runs: int
    models: tuple[str, ...]
    options: Mapping[str, Scalar]
    where: str
    limit: int | None = None
    shard: tuple[int, int] | None = None


class Earlier(Protocol):
    """The results of the stages before this one: ended episodes, the latest take of each."""

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        """Return the rows of a DuckDB query over ``steps`` and ``episodes`` of this family.

        Both have only episodes of this plan with a final end, including those that ended with an
        error (see ``error_kind``). Parameters are named ``$name``. A query must order its rows.
        """

    def unfinished(self, model: str) -> int:
        """Return how many of this model's episodes in earlier stages have no final end yet."""


@dataclass(frozen=True, slots=True)
class Listing:
    """How a condition's episodes are listed, in place of seeds × runs.

    A listed episode must depend on its own parents alone, never on how many others there are:
    episodes that are played later may then add episodes, but never change one that was paid for.

    Args:
        episodes: lists a cell's episodes; SweepError if a file is not as it should be.
        after: conditions of this family, at least one of which the stages before must have. If it
            is (), nothing is read from them, and `episodes` gets None for `Earlier`.
        presumed: for forecasts: what `episodes` will list if all given episodes of the stages
            before, including presumed ones, end well with typical contents. It is given the
            episodes of cells that feed its own. None if `after` is ().
        in_order: scenes are played in the order of the list, not by their number.
        after_all: an episode's contents depend on all episodes of `after` together: a run directory
            cannot gain more of those, and a limited sweep does not list them.
        after_each: stages before must have every condition of `after`, not only one.
        feeds: whether the first cell, of one of those conditions, has what the second cell's
            episodes follow from. A cell that no cell feeds is refused before anything is paid.
        role: the role of the models of its cells. If it is not the subject's, it is also the key of
            the stage that names these models.
        require: refuses a cell of a waiting stage for what no earlier result can change, such as a
            file that does not fit, before anything is paid.
        after_if: (option, value) → a condition that earlier stages must also have with it.
    """

    episodes: Callable[[Cell, Shape, Earlier | None], Iterable[EpisodeSpec]]
    after: tuple[str, ...] = ()
    presumed: Callable[[Cell, Shape, Sequence[EpisodeSpec]], Iterable[EpisodeSpec]] | None = None
    in_order: bool = False
    after_all: bool = False
    after_each: bool = False
    feeds: Callable[[Cell, Cell], bool] = lambda _earlier, _cell: True
    role: str = SUBJECT
    require: Callable[[Cell, Shape], None] | None = None
    after_if: Mapping[tuple[str, Scalar], str] = field(default_factory=dict)
