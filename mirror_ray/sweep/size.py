"""The size of a sweep, computed from its keys before anything of it is listed.

A stage's episodes are a product of its keys.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import prod
from types import MappingProxyType
from typing import TypeVar

from mirror_ray.core.errors import SweepError
from mirror_ray.sweep.file import StageKeys

MOST_EPISODES = 2_000_000
"""Most episodes of a sweep: they take about 1 GB and are listed in about a minute."""
MOST_CELLS = 100_000
"""Most cells of a stage."""

_T = TypeVar("_T")


def count_episodes(
    stage: StageKeys,
    models: Sequence[str],
    left: int,
    where: str,
    *,
    co_players: Mapping[str, Mapping[str, Sequence[str]]] = MappingProxyType({}),
) -> int:
    """Return the number of a stage's episodes: cells × seeds × runs.

    Args:
        left: how many it may have.
        where: file and key of the stage, for the error.
        co_players: condition → role → the co-players of the model that is asked.

    Raises:
        SweepError: the stage has more.
    """
    lists: list[Sequence[object]] = [models, stage.temperature]
    lists.append(stage.variant or [None])
    further = {role for roles in co_players.values() for role in roles}
    lists += [
        value
        for name, value in (stage.model_extra or {}).items()
        if isinstance(value, list) and name not in further
    ]
    conditions = sum(prod(map(len, co_players.get(one, {}).values())) for one in stage.conditions)
    cells = conditions * prod(max(1, len(one)) for one in lists)
    seeds = stage.seeds if isinstance(stage.seeds, int) else len(stage.seeds or [None])
    episodes = cells * seeds * stage.runs
    if cells > MOST_CELLS or episodes > left:
        largest = {cells: "conditions", stage.runs: "runs", seeds: "seeds"}
        raise SweepError(
            f"{where}.{largest[max(largest)]}",
            f"{cells:,} cells × {seeds:,} seeds × {stage.runs:,} runs",
            f"at most {MOST_CELLS:,} cells in a stage, and {MOST_EPISODES:,} episodes in a sweep,"
            f" of which {left:,} are left for this stage",
            "ask for less, or make several sweeps of it",
        )
    return episodes


def bounded(listed: Iterable[_T], where: str) -> list[_T]:
    """Return the same episodes, at most as many as a sweep may have.

    Raises:
        SweepError: the sweep has too many.
    """
    found = list(islice(listed, MOST_EPISODES + 1))
    if len(found) > MOST_EPISODES:
        raise SweepError(
            where,
            f"more than {MOST_EPISODES:,} episodes",
            f"at most {MOST_EPISODES:,} in a stage",
            "ask for less, or make several sweeps of it",
        )
    return found
