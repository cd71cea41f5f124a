"""Which items a stage's episodes are about: generated ones by seed, or a published bank's rows.

Knows the option ``bank`` and, for experiment 9, what follows from the model's own exp1. [Our
decision] ``seeds: 40`` takes the first 40 rows with the bank's groups taking turns, so that few
rows cover all domains; ``seeds: [3, 17]`` takes rows 3 and 17. A row's number is its scene seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mirror_ray.errors import SweepError
from mirror_ray.identity import Cell, EpisodeSpec
from mirror_ray.tasks.family import Axis, Earlier, Listing, Shape
from mirror_ray.tasks.metacog.conditions import CONDITIONS
from mirror_ray.tasks.metacog.published import Bank, Row, read_bank
from mirror_ray.tasks.metacog.question import DOMAINS
from mirror_ray.tasks.metacog.weak_domains import own_accuracy, weak_domains

OPTIONS: Mapping[str, Axis] = MappingProxyType(
    {"bank": Axis("", "a published bank's file in place of generated items", is_path=True)}
)

_ATLAS_TOO = frozenset({"exp1", "exp5", "exp6a", "exp6c"})
"""Experiments on single questions: they take exp1's bank."""

_TYPICAL = MappingProxyType(
    {domain: 0.8 if place < 5 else 0.4 for place, domain in enumerate(DOMAINS)}
)


def _episodes(cell: Cell, shape: Shape, _earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    return _listed(cell, shape, {})


def _episodes_after(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    """Exp9: what a model is told of itself is known only when all its exp1 is."""
    if earlier is None or earlier.unfinished(cell.model):
        return
    accuracy = own_accuracy(cell, earlier)
    if not accuracy:
        raise SweepError(
            shape.where,
            f"{cell.condition} of {cell.model} at temperature {cell.temperature}",
            "after a stage of exp1 in the channel natural, at the same temperature",
            "add natural to that stage's channel, and this temperature to its temperature",
        )
    yield from _listed(cell, shape, _own(cell, accuracy))


def _presumed(cell: Cell, shape: Shape, _: Sequence[EpisodeSpec]) -> Iterator[EpisodeSpec]:
    return _listed(cell, shape, _own(cell, _TYPICAL))


def _own(cell: Cell, accuracy: Mapping[str, float]) -> dict[str, Any]:
    """What is given of the model's own; nothing where the task does not depend on it."""
    if CONDITIONS[cell.condition].information == "C1" and not _is_tailored(cell):
        return {}
    return {"accuracy": dict(accuracy), "weak": list(weak_domains(accuracy))}


def _listed(cell: Cell, shape: Shape, own: Mapping[str, Any]) -> Iterator[EpisodeSpec]:
    path = str(shape.options["bank"])
    if not path:
        for scene_seed, run in product(shape.seeds, range(shape.runs)):
            yield EpisodeSpec(cell, scene_seed, run, own)
        return
    for row in _chosen(_bank(path, cell, shape), cell, shape):
        given = {**row.given, **own} if own else row.given
        for run in range(shape.runs):
            yield EpisodeSpec(cell, row.number, run, given)


def _bank(path: str, cell: Cell, shape: Shape) -> Bank:
    where = f"{shape.where}.bank"
    try:
        file = Path(path)
        bank = read_bank(file, file.stat().st_mtime_ns)
    except (OSError, ValueError) as problem:
        raise SweepError(
            where, f"{path}: {problem}", "a published bank's file", "correct the path"
        ) from problem
    experiment = CONDITIONS[cell.condition].experiment
    if bank.experiment != ("exp1" if experiment in _ATLAS_TOO else experiment):
        raise SweepError(
            where,
            f"{bank.name}, a bank of {bank.experiment}",
            f"a bank for {cell.condition}",
            "give each experiment a stage of its own, with its own bank",
        )
    if dict(cell.axes).get("channel") == "difficulty":
        raise SweepError(
            f"{shape.where}.channel",
            "difficulty",
            "another channel: the published banks do not pair questions by difficulty",
            "remove difficulty, or remove bank",
        )
    return bank


def _chosen(bank: Bank, cell: Cell, shape: Shape) -> list[Row]:
    rows = [row for row in bank.in_turn() if _fits(row, cell)]
    if isinstance(shape.seeds, range):
        if len(shape.seeds) > len(rows):
            raise SweepError(
                f"{shape.where}.seeds",
                str(len(shape.seeds)),
                f"at most {len(rows)}: as many rows of {bank.name} fit {cell.condition} with "
                f"{cell.model}",
                f"seeds: {len(rows)}",
            )
        return rows[: len(shape.seeds)]
    by_number = {row.number: row for row in rows}
    if unknown := [seed for seed in shape.seeds if seed not in by_number]:
        raise SweepError(
            f"{shape.where}.seeds",
            str(unknown[0]),
            f"the number of a row of {bank.name} that can be played",
            "remove it",
        )
    return [by_number[seed] for seed in shape.seeds]


def _fits(row: Row, cell: Cell) -> bool:
    """Two-part tasks are of one set; a tailored one is for the model it was made for."""
    if "task_set" not in row.given:
        return True
    if not _is_tailored(cell):
        return bool(row.given["task_set"] == "fixed")
    return bool(row.given["target"]) and str(row.given["target"]) in _spellings(cell.model)


def _spellings(model: str) -> set[str]:
    """``meta/llama-3.1-8b-instruct`` is ``llama-3-1-8b`` in the published tasks."""
    name = model.rpartition("/")[2].replace(".", "-").casefold()
    return {name, name.removesuffix("-instruct"), name.removesuffix("-chat")}


def _is_tailored(cell: Cell) -> bool:
    return dict(cell.axes).get("task_set") == "tailored"


LISTINGS: Mapping[str, Listing] = MappingProxyType(
    {
        name: Listing(_episodes_after, after=("exp1",), presumed=_presumed)
        if condition.information
        else Listing(_episodes)
        for name, condition in CONDITIONS.items()
    }
)
