"""How a condition's episodes are listed if not as seeds × runs."""

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
        seeds, runs: as in the sweep file, with the seeds listed.
        models: all models of the sweep, in its order.
        options: name → value of every option of the family, defaults included.
        where: file and key of the stage, for errors.
        limit: play only the first scenes of each cell, at most this many; None: all. Listings may
            ignore it.
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
    """The results of the stages before this one: the latest take of each ended episode."""

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        """Return the rows of a DuckDB query over ``steps`` and ``episodes`` of this family.

        Both have only episodes of this plan with a final end, including those that ended with an
        error (see ``error_kind``). Parameters are named ``$name``. A query must order its rows."""

    def unfinished(self, model: str) -> int:
        """Return how many of this model's episodes in earlier stages have no final end yet."""


@dataclass(frozen=True, slots=True)
class Listing:
    """How a condition's episodes are listed instead of as seeds × runs.

    A listed episode must depend on its own parents alone, never on the number of others. Later
    episodes may then add to the list, but never change an episode that was paid for.

    Args:
        episodes: lists a cell's episodes; SweepError if a file is not as it should be.
        after: conditions of this family; earlier stages must have at least one. If it is (),
            nothing is read from them, and `episodes` gets None for `Earlier`.
        presumed: for forecasts: what `episodes` will list if all given episodes of earlier stages,
            including presumed ones, end well with typical contents. It gets the episodes of cells
            that feed its own. None if `after` is ().
        in_order: scenes are played in the order of the list, not by their number.
        after_all: an episode depends on all episodes of `after` together, so a run directory cannot
            gain more of those, and a limited sweep does not list them.
        after_each: earlier stages must have every condition of `after`, not only one.
        feeds: whether the second cell's episodes depend on the first cell, of one of those
            conditions. A cell that no cell feeds is refused before anything is paid.
        role: the role of the cells' models. Unless it is the subject, a stage's key with this name
            lists these models.
        require: refuses a cell of a waiting stage, before anything is paid, for a reason that no
            earlier result can change, such as an unfit file.
        after_if: (option, value) → a condition that earlier stages must also have in that case.
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
