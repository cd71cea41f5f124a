"""How a condition's episodes are listed where that is not seeds × runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar

SUBJECT = "subject"
"""The role of the sweep's own models."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a stage: its keys besides conditions, variants and axes.

    Args:
        seeds, runs: as in the sweep file, the seeds listed.
        models: all models of the sweep, in its order.
        options: name → value of every option of the family, defaults included.
        where: file and key of the stage, for errors.
        limit: of each cell's scenes only the first so many are played; None: all. Listings need
            not heed it.
        shard: (number, count): of the scenes that remain, those of one of several parts of the
            sweep; None: all. Listings need not heed it either.
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
        """The rows of a DuckDB query over ``steps`` and ``episodes`` of this family.

        Both hold only episodes of this plan with a final end, failed ones included (see
        ``error_kind``). Parameters are named ``$name``. A query must order what it returns.
        """

    def unfinished(self, model: str) -> int:
        """Episodes of the stages before, with this model, that have no final end yet."""


@dataclass(frozen=True, slots=True)
class Listing:
    """How a condition's episodes are listed, in place of seeds × runs.

    A listed episode must depend on its own parents alone, never on how many others there are:
    what is played later may then add episodes, and changes none that was paid for.

    Args:
        episodes: lists a cell's episodes; SweepError where a file is not as it should be.
        after: conditions of this family, of which stages before must have one at least; () where
            nothing is read from them: then `episodes` gets None for `Earlier`.
        presumed: what `episodes` will list if the given episodes of the stages before, presumed
            ones among them, all come to a good end, with typical contents: for forecasts. It is
            given those of cells that feed its own. None where `after` is ().
        in_order: scenes are played in the order of the list, not by their number.
        after_all: what an episode is given follows from all episodes of `after` together: a run
            directory cannot grow by more of those, and a limited sweep does not list them.
        after_each: stages before must have each condition of `after`, not one at least.
        feeds: whether a cell of one of those conditions (the first) has what a cell's episodes (the
            second) follow from; a cell that none feeds is refused before anything is bought.
        role: which part the models of its cells have. Other than the subject's it is also the key
            of the stage that names them: they are not the sweep's.
        require: refuses a cell of a stage that waits, by what no result of the stages before can
            change: a file that does not fit. It is asked before anything is bought.
        after_if: (option, value) → a condition that the stages before must have, too, where the
            stage has that value.
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
