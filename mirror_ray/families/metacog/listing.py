"""The items of a stage's episodes: generated ones by seed, or a published bank's rows.

The option ``bank`` selects them; experiment 9 also uses the results of the model's own exp1. [Our
decision] ``seeds: 40`` takes the first 40 rows with the bank's groups taking turns, so that few
rows cover all domains; ``seeds: [3, 17]`` takes rows 3 and 17. A row's number is its scene seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from mirror_ray.contract.listing import Earlier, Listing, Shape
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.conditions import CONDITIONS, experiment_of
from mirror_ray.families.metacog.items import GENERATED
from mirror_ray.families.metacog.judge_stage import JUDGE, judged_episodes, presumed_judged
from mirror_ray.families.metacog.judged_accuracy import all_judged, judges
from mirror_ray.families.metacog.levels_asked import require_levels, require_questions
from mirror_ray.families.metacog.own_levels import levels_at, own_levels, presumed_levels
from mirror_ray.families.metacog.play import play
from mirror_ray.families.metacog.published import Bank, BankRow, read_bank
from mirror_ray.families.metacog.settings import STAIRCASE, setting
from mirror_ray.families.metacog.weak_domains import banks_known, own_accuracy, weak_domains

_ATLAS_TOO = frozenset({"exp1", "exp5", "exp6a", "exp6c"})
"""Experiments on single questions: they take exp1's bank."""

_TYPICAL: Mapping[str, float] = {
    domain: 0.8 if place < 5 else 0.4 for place, domain in enumerate(DOMAINS)
}


_Levels = Mapping[str, Any] | None


def _episodes(cell: Cell, shape: Shape, _earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    return _listed(cell, shape, {})


def _episodes_after(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    """List the episodes that follow from a model's own results, once all earlier ones ended."""
    if earlier is None or earlier.unfinished(cell.model) or _has_no_tool_to_route_to(cell):
        return
    levels = own_levels(cell, shape, earlier) if setting(cell, "level") == STAIRCASE else None
    if levels == {}:
        return
    if CONDITIONS[cell.condition].information is None:
        yield from _listed(cell, shape, {}, levels)
        return
    matching = str(shape.options.get("matching", "grammar"))
    if matching == "judge" and not all_judged(cell, earlier):
        if any(earlier.unfinished(judge) for judge in judges(earlier)):
            return
        raise SweepError(
            f"{shape.where}.matching",
            f"judge, with free answers of {cell.model} in exp1 that no judge has read",
            "after a stage of judge that reads exp1 in the channel natural",
            "name exp1 in that stage's judged, or leave judged out",
        )
    bank = _bank_of_atlas(cell, shape, earlier)
    accuracy = own_accuracy(cell, earlier, matching, bank)
    if not accuracy and _needs_own_results(cell):
        # None of the model's answers could be read. Other models' episodes do not depend on it.
        return
    yield from _listed(cell, shape, _own(cell, accuracy), levels)


def _presumed(cell: Cell, shape: Shape, _: Sequence[EpisodeSpec]) -> Iterator[EpisodeSpec]:
    if _has_no_tool_to_route_to(cell):
        return iter(())
    own = {} if CONDITIONS[cell.condition].information is None else _own(cell, _TYPICAL)
    levels = presumed_levels() if setting(cell, "level") == STAIRCASE else None
    return _listed(cell, shape, own, levels)


def _has_no_tool_to_route_to(cell: Cell) -> bool:
    is_routed = CONDITIONS[cell.condition].information == "C4"
    without = setting(cell, "paradigm") == "no_tools"
    return is_routed and without


def _bank_of_atlas(cell: Cell, shape: Shape, earlier: Earlier) -> str | None:
    banks = banks_known(cell, earlier)
    if len(banks) < 2:
        return None
    is_published = bool(shape.options["bank"])
    of_its_kind = [bank for bank in banks if (bank != GENERATED) == is_published]
    if len(of_its_kind) != 1:
        raise SweepError(
            shape.where,
            f"{cell.condition} of {cell.model} after exp1 on {len(banks)} banks",
            "one bank of exp1 that the accuracies come from: the generated one for generated "
            "tasks, one published for published tasks",
            "give the banks sweeps of their own",
        )
    return of_its_kind[0]


def _presumed_judged(cell: Cell, _: Shape, before: Sequence[EpisodeSpec]) -> Iterator[EpisodeSpec]:
    return presumed_judged(cell, before, lambda spec: play(spec, spec.rng()))


def _own(cell: Cell, accuracy: Mapping[str, float]) -> dict[str, Any]:
    if not _needs_own_results(cell):
        return {}
    return {"accuracy": dict(accuracy), "weak": list(weak_domains(accuracy))}


def _needs_own_results(cell: Cell) -> bool:
    return CONDITIONS[cell.condition].information != "C1" or _is_tailored(cell)


def _feeds(earlier: Cell, cell: Cell) -> bool:
    """Return whether the first cell has exp1's natural answers at the second's settings."""
    asked, asks = dict(earlier.axes), dict(cell.axes)
    return (
        earlier.condition == "exp1"
        and asked.get("channel") == "natural"
        and asked.get("level") == asks.get("level")
        and earlier.model == cell.model
        and earlier.temperature == cell.temperature
    )


def _listed(
    cell: Cell, shape: Shape, own: Mapping[str, Any], levels: _Levels = None
) -> Iterator[EpisodeSpec]:
    path = str(shape.options["bank"])
    _require(cell, shape)
    if not path:
        for scene_seed, run in product(shape.seeds, range(shape.runs)):
            given = own
            if levels is not None:
                given = {**own, "levels": levels_at(levels, experiment_of(cell), scene_seed)}
            yield EpisodeSpec(cell, scene_seed, run, given)
        return
    for row in _chosen(_bank(path, cell, shape), cell, shape):
        row_given = {**row.given, **own} if own else row.given
        for run in range(shape.runs):
            yield EpisodeSpec(cell, row.number, run, row_given)


def _require(cell: Cell, shape: Shape) -> None:
    path = str(shape.options["bank"])
    require_levels(cell, shape, path)
    if path:
        _chosen(_bank(path, cell, shape), cell, shape)
    else:
        require_questions(cell, shape)


def _bank(path: str, cell: Cell, shape: Shape) -> Bank:
    where = f"{shape.where}.bank"
    try:
        file = Path(path)
        bank = read_bank(file, file.stat().st_mtime_ns)
    except (UnfitError, OSError) as problem:
        raise SweepError(
            where, f"{path}: {problem}", "a published bank's file", "correct the path"
        ) from problem
    experiment = experiment_of(cell)
    if bank.experiment != ("exp1" if experiment in _ATLAS_TOO else experiment):
        raise SweepError(
            where,
            f"{bank.name}, a bank of {bank.experiment}",
            f"a bank for {cell.condition}",
            "give each experiment its own stage with its own bank",
        )
    if setting(cell, "channel") == "difficulty":
        raise SweepError(
            f"{shape.where}.channel",
            "difficulty",
            "another channel: the published banks do not pair questions by difficulty",
            "remove difficulty, or remove bank",
        )
    return bank


def _chosen(bank: Bank, cell: Cell, shape: Shape) -> list[BankRow]:
    rows = bank.in_turn()
    rows = [row for row in rows if _fits(row, cell)]
    if isinstance(shape.seeds, range):
        if len(shape.seeds) > len(rows):
            raise SweepError(
                f"{shape.where}.seeds",
                str(len(shape.seeds)),
                f"at most {len(rows)}: as many rows of {bank.name} fit {cell.condition} with "
                f"{cell.model}",
                f"seeds: {len(rows)}" if rows else "remove bank: generated tasks fit every model",
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


def _fits(row: BankRow, cell: Cell) -> bool:
    """Two-part tasks belong to one set; a tailored one is for the model it was made for."""
    if "task_set" not in row.given:
        return True
    if not _is_tailored(cell):
        return bool(row.given["task_set"] == "fixed")
    return bool(row.given["target"]) and str(row.given["target"]) in _spellings(cell.model)


def _spellings(model: str) -> set[str]:
    """Return a model's spellings: ``meta/llama-3.1-8b-instruct`` is also ``llama-3-1-8b``."""
    name = model.rpartition("/")[2].replace(".", "-").casefold()
    return {name, name.removesuffix("-instruct"), name.removesuffix("-chat")}


def _is_tailored(cell: Cell) -> bool:
    return setting(cell, "task_set") == "tailored"


_AFTER_JUDGES: Mapping[tuple[str, Scalar], str] = {("matching", "judge"): JUDGE}


def _listing_of(name: str) -> Listing:
    if name == JUDGE:
        # One of these stages before is enough; a staircase's questions have closed keys.
        played = tuple(one for one in CONDITIONS if one not in (JUDGE, STAIRCASE))
        return Listing(judged_episodes, after=played, presumed=_presumed_judged, role=JUDGE)
    if CONDITIONS[name].information:
        return Listing(
            _episodes_after,
            ("exp1",),
            _presumed,
            after_all=True,
            feeds=_feeds,
            require=_require,
            after_if=_AFTER_JUDGES,
        )
    return Listing(_episodes)


LISTINGS: Mapping[str, Listing] = {name: _listing_of(name) for name in CONDITIONS}

_AT_OWN_LEVELS = Listing(
    _episodes_after,
    after=("staircase",),
    presumed=_presumed,
    after_all=True,
    feeds=lambda earlier, cell: (
        (earlier.model, earlier.temperature) == (cell.model, cell.temperature)
    ),
    require=_require,
)
_PARTS_AT_OWN_LEVELS = Listing(
    _episodes_after,
    after=("exp1", "staircase"),
    presumed=_presumed,
    after_all=True,
    after_each=True,
    feeds=_feeds,
    require=_require,
    after_if=_AFTER_JUDGES,
)


def listing_by_axes(cell: Cell) -> Listing | None:
    """Return the listing of cells at the levels of a model's own staircase."""
    if setting(cell, "level") != STAIRCASE:
        return None
    return _PARTS_AT_OWN_LEVELS if CONDITIONS[cell.condition].information else _AT_OWN_LEVELS
