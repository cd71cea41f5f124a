"""What a task family is: conditions, axes, columns and the one function that plays an episode.

Knows the shape every family has; does not know any family. `mirror_ray.tasks.FAMILIES` lists them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from mirror_ray.types import EpisodeSpec, Play, Scalar


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting a sweep may vary.

    Args:
        default: its value when a sweep is silent; defaults do not enter a cell's identity.
        meaning: one line for `--help` and for error messages.
        choices: the only allowed values, if they can be listed.
        minimum, maximum: inclusive bounds of a number.
    """

    default: Scalar
    meaning: str
    choices: tuple[Scalar, ...] | None = None
    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """A benchmark.

    Args:
        conditions: name → what it manipulates.
        variants: name → what it changes; the first is the default.
        axes: name → Axis; names are also sweep keys of a stage.
        step_columns, episode_columns: the family's typed columns beside the common ones.
        fact_columns: the step columns that hold an ask's facts, each under its name there: from
            them a sealed ask is read back, so that an episode can be played from its rows.
        play: plays one episode; everything random in it comes from the spec's streams or the rng.
        max_asks: bound on the asks of one episode of this cell, for plans and budgets.
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

    def axis(self, spec: EpisodeSpec, name: str) -> Scalar:
        """The value of an axis for this episode, its default where the cell is silent."""
        return dict(spec.cell.axes).get(name, self.axes[name].default)
