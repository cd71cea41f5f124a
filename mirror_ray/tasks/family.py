"""What a task family is: conditions, axes, columns and the one function that plays an episode.

Knows the shape every family has; does not know any family. `mirror_ray.tasks.FAMILIES` lists them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from mirror_ray.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.types import Play


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting a sweep may vary.

    Args:
        default: its value when a sweep is silent; defaults do not enter a cell's identity.
        meaning: one line for `--help` and for error messages.
        choices: the only allowed values, if they can be listed.
        minimum, maximum: inclusive bounds of a number.
        is_path: names a file or folder, relative to the sweep file; of options only.
    """

    default: Scalar
    meaning: str
    choices: tuple[Scalar, ...] | None = None
    minimum: float | None = None
    maximum: float | None = None
    is_path: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a stage is: its keys beside conditions, variants and axes.

    Args:
        seeds, runs: as in the sweep file, the seeds listed.
        models: all models of the sweep, in its order.
        options: name → value of every option of the family, defaults included.
        where: file and key of the stage, for errors.
    """

    seeds: Sequence[int]
    runs: int
    models: tuple[str, ...]
    options: Mapping[str, Scalar]
    where: str


class Earlier(Protocol):
    """What the stages before this one came to: ended episodes, the latest take of each."""

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        """The rows of a DuckDB query over ``steps`` and ``episodes`` of this family.

        Both hold only episodes of this plan with a final end, failed ones included (see
        ``error_kind``). Parameters are named ``$name``. A query must order what it returns.
        """
        ...

    def unfinished(self, model: str) -> int:
        """Episodes of the stages before, with this model, that have no final end yet."""
        ...


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
            ones among them, all come to a good end, with typical contents: for forecasts. None
            where `after` is ().
    """

    episodes: Callable[[Cell, Shape, Earlier | None], Iterable[EpisodeSpec]]
    after: tuple[str, ...] = ()
    presumed: Callable[[Cell, Shape, Sequence[EpisodeSpec]], Iterable[EpisodeSpec]] | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """A benchmark.

    Args:
        conditions: name → what it manipulates.
        variants: name → what it changes; the first is the default.
        axes: name → Axis; names are also sweep keys of a stage.
        only_in: variant or axis → the conditions in which it changes anything: elsewhere the same
            episodes would be bought once more. All of them where it is not named.
        step_columns, episode_columns: the family's typed columns beside the common ones.
        fact_columns: the step columns that hold an ask's facts, each under its name there: from
            them a sealed ask is read back, so that an episode can be played from its rows.
        play: plays one episode; everything random in it comes from the spec's streams or the rng.
        max_asks: bound on the asks of one episode of this cell, for plans and budgets.
        sampled_by: two offline agents that bracket a model in forecasts: one that looks at every
            picture and goes straight about it, one that wanders to the end without looking.
        draws: its episodes show pictures.
        listings: condition → how its episodes are listed, where not by seeds × runs.
        options: name → Axis; keys of a stage that do not vary and are not part of a cell's
            identity: what they name enters episodes as `given`.
    """

    name: str
    conditions: Mapping[str, str]
    variants: Mapping[str, str]
    axes: Mapping[str, Axis]
    step_columns: pa.Schema
    episode_columns: pa.Schema
    fact_columns: tuple[str, ...]
    play: Callable[[EpisodeSpec, np.random.Generator], Play]
    max_asks: Callable[[EpisodeSpec], int]
    sampled_by: tuple[str, str]
    draws: bool = True
    only_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    listings: Mapping[str, Listing] = field(default_factory=dict)
    options: Mapping[str, Axis] = field(default_factory=dict)

    def axis(self, spec: EpisodeSpec, name: str) -> Scalar:
        """The value of an axis for this episode, its default where the cell is silent."""
        return dict(spec.cell.axes).get(name, self.axes[name].default)
