"""metacog's experiments and manipulations (arXiv 2604.19809)."""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.contract.packages import family_yaml
from mirror_ray.core.identity import Cell


@dataclass(frozen=True, slots=True)
class Condition:
    """One experiment or, for exp9, one of the four levels of `information`, C1–C4."""

    experiment: str
    information: str | None = None


def _condition(name: str) -> Condition:
    experiment, _, information = name.partition("-")
    return Condition(experiment, information or None)


_FROM_FILE = family_yaml("metacog", "family.yaml")
CONDITIONS: Mapping[str, Condition] = {name: _condition(name) for name in _FROM_FILE["conditions"]}
WITH_CHANNEL = frozenset(_FROM_FILE["only_in"]["channel"])
"""Experiments that elicit confidence in one of the channels."""
PRESSURES = ("reframing", "authority", "incremental", "roleplay")


def experiment_of(cell: Cell) -> str:
    """Return the experiment of a cell's condition."""
    return CONDITIONS[cell.condition].experiment
