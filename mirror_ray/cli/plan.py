"""`mirror-ray plan`: what a sweep would ask, cost and take; expected, and at most."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict
from os import sched_getaffinity
from typing import Any

from rich.markup import escape
from rich.table import Table

from mirror_ray.cli.show import MISSING, about, console, count, duration, new_table, print_json, usd
from mirror_ray.records.usage import NO_USAGE, usage_of
from mirror_ray.sweep.demands import withheld, withheld_in_words
from mirror_ray.sweep.duration import Timetable, timetable
from mirror_ray.sweep.earlier import with_stages_that_follow
from mirror_ray.sweep.estimate import CellEstimate, by_model, estimate, known_usd, together
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.sampling import Samples, sample_scenes
from mirror_ray.sweep.stages import presume
from mirror_ray.tasks import FAMILIES

MOST_BUDGET_NOTES = 8


def main(arguments: Namespace) -> int:
    """Prints the plan; starts nothing."""
    plan = load_plan(arguments.sweep, arguments.overrides, arguments.out)
    usage = usage_of(plan.sweep.out, plan.sweep.resolved)
    plan = presume(plan if usage is None else with_stages_that_follow(plan))
    samples = sample_scenes(plan.episodes)
    cells = estimate(plan, samples, usage or NO_USAGE)
    simulators = plan.sweep.engine.simulators or len(sched_getaffinity(0))
    times = timetable(plan, cells, samples, simulators)
    if arguments.json:
        print_json(_as_json(plan, cells, times, samples))
        return 0
    console.print(_cells_table(plan, cells))
    console.print(_use_table(cells))
    console.print(_cost_table(plan, cells, times))
    for line in _notes(plan, cells, times, samples):
        console.print(line)
    if usage is None:
        said = f"{plan.sweep.out} holds another sweep: run will ask for another --out."
        console.print(said, markup=False)
    return 0


def _cells_table(plan: Plan, cells: Sequence[CellEstimate]) -> Table:
    columns = ("family", "condition", "variant", "temperature", "models", "episodes", "asks each")
    table = new_table(*columns, title=f"{plan.sweep.name}: {len(cells)} cells", left=4)
    rows: dict[tuple[str, str, str, str], list[CellEstimate]] = {}
    for one in cells:
        cell = one.cell
        temperature = MISSING if cell.temperature is None else f"{cell.temperature:g}"
        row = (cell.family, cell.condition, cell.variant_label, temperature)
        rows.setdefault(row, []).append(one)
    for row, alike in rows.items():
        to_come = [one.each for one in alike if one.ended < one.episodes]
        each = MISSING
        if to_come:
            expected = sum(one.expected for one in to_come) / len(to_come)
            low, high = min(one.low for one in to_come), max(one.high for one in to_come)
            span = _span(Range(low, expected, high), about)
            each = f"{expected:.0f}" if low == high else f"{expected:.0f} [dim]{span}[/dim]"
        table.add_row(*row, count(len(alike)), count(sum(one.episodes for one in alike)), each)
    return table


def _use_table(cells: Sequence[CellEstimate]) -> Table:
    columns = ("model", "calls", "tokens in", "of pictures", "tokens out")
    table = new_table(*columns, title="expected use, and below it its interval")
    for model, mine in by_model(cells).items():
        bill = together([one.whole for one in mine])
        table.add_row(
            f"{escape(model)}\n[dim]{_progress(mine)}, by {_basis(mine)}[/dim]",
            _spread(bill.calls, about),
            _spread(bill.tokens_in, about),
            _spread(bill.tokens_image, about),
            _spread(bill.tokens_out, about),
        )
    return table


def _cost_table(plan: Plan, cells: Sequence[CellEstimate], times: Timetable) -> Table:
    columns = ("model", "cost", "at most", "spent", "time left")
    table = new_table(*columns, title="expected cost and time, and below them their intervals")
    for model, mine in by_model(cells).items():
        lane = times.keys[plan.models[model].limits.key]
        table.add_row(
            f"{escape(model)}\n[dim]held up by {escape(lane.bound_by)}[/dim]",
            _spread(together([one.whole for one in mine]).cost_usd, _dollars),
            _high(together([one.at_most for one in mine]).cost_usd),
            usd(sum(one.spent_usd for one in mine)),
            _spread(lane.time_s, duration),
        )
    cost, all_known = known_usd([one.whole for one in cells])
    table.add_section()
    table.add_row(
        f"all\n[dim]held up by {escape(times.whole.bound_by)}[/dim]",
        ("" if all_known else "at least ") + _spread(cost, _dollars),
        _high(together([one.at_most for one in cells]).cost_usd),
        usd(sum(one.spent_usd for one in cells)),
        _spread(times.whole.time_s, duration),
    )
    return table


def _notes(
    plan: Plan, cells: Sequence[CellEstimate], times: Timetable, samples: Samples
) -> list[str]:
    played = sum(sample.episodes for sample in samples.by_kind.values())
    families = dict.fromkeys(cell.family for cell in plan.cells)
    agents = ", ".join(" and ".join(FAMILIES[family].sampled_by) for family in families)
    notes = [
        f"Samples: {played} episodes played here by {agents}; hosted models are expected halfway"
        " between two, in ratios, until this run has episodes of their own."
    ]
    followers, shared = _shared(plan)
    if followers:
        notes.append(
            f"Shared: {followers:,} episodes follow from {shared:,} earlier ones, each bought once:"
            f" {followers - shared:,} episodes saved."
        )
    if samples.drawing_s is not None and samples.image_bytes is not None:
        notes.append(
            f"Pictures: {samples.image_bytes / 1024:.0f} KiB on average,"
            f" {samples.drawing_s * 1000:.1f} ms of one core each."
        )
    if samples.trouble is not None:
        notes.append(f"No pictures were drawn, so their time is not known: {samples.trouble}")
    notes.append(
        "At most: every episode at its last step, every reply re-asked and at its full length."
    )
    notes.extend(map(escape, withheld_in_words(plan)))
    unpriced = [
        model
        for model, mine in by_model(cells).items()
        if any(one.whole.cost_usd is None for one in mine)
    ]
    if unpriced:
        notes.append(
            f"[bold]Unknown prices:[/bold] {escape(', '.join(unpriced))}. Give usd_per_mtok_in and"
            " usd_per_mtok_out in a model catalogue; the first bills will tell them too."
        )
    if times.unlimited:
        notes.append(
            f"Unknown limits: {escape(', '.join(times.unlimited))}. They will be discovered;"
            " until then the time holds calls at once and latency only."
        )
    return [*notes, *_budget_notes(plan, cells)]


def _budget_notes(plan: Plan, cells: Sequence[CellEstimate]) -> list[str]:
    """Every budget against what it has to pay for; of models and cells the ones that need more."""
    sweep = plan.sweep
    purses = [(f"budget_usd {usd(sweep.budget_usd)}", sweep.budget_usd, list(cells), True)]
    for model, mine in by_model(cells).items():
        ceiling_usd = sweep.budget_per_model_usd.get(model)
        told = f"budget_per_model_usd {usd(ceiling_usd)} for {escape(model)}"
        purses.append((told, ceiling_usd, list(mine), False))
    for one in cells:
        ceiling_usd = sweep.budget_per_cell_usd
        told = f"budget_per_cell_usd {usd(ceiling_usd)} for {one.cell.condition} with"
        purses.append((f"{told} {escape(one.cell.model)}", ceiling_usd, [one], False))
    notes = []
    for told, ceiling_usd, paid_for, always in purses:
        if ceiling_usd is not None:
            suffices, verdict = _verdict(ceiling_usd, paid_for)
            if always or not suffices:
                notes.append(f"{told}: {verdict}")
    if len(notes) > MOST_BUDGET_NOTES:
        left = len(notes) - MOST_BUDGET_NOTES
        notes[MOST_BUDGET_NOTES:] = [f"… and {left:,} more budgets that are, or may be, too small."]
    return notes or ["No budget: the spending ends with the plan."]


def _verdict(ceiling_usd: float, cells: Sequence[CellEstimate]) -> tuple[bool, str]:
    """Whether the expected cost surely fits, and what to say of it."""
    cost, all_known = known_usd([one.whole for one in cells])
    most = together([one.at_most for one in cells]).cost_usd
    if cost.expected > ceiling_usd:
        return False, f"[bold red]too little[/bold red] for the {_dollars(cost.expected)} expected."
    if most is not None and most.high <= ceiling_usd:
        return True, "enough, whatever happens."
    if cost.high > ceiling_usd:
        return False, "[yellow]may not suffice[/yellow]; what it stops can be resumed."
    return True, "enough for what is expected" + ("." if all_known else ", at the known prices.")


def _progress(cells: Sequence[CellEstimate]) -> str:
    ended, episodes = sum(one.ended for one in cells), sum(one.episodes for one in cells)
    return f"{ended:,} of {episodes:,} episodes" if ended else f"{episodes:,} episodes"


def _shared(plan: Plan) -> tuple[int, int]:
    """Episodes that were given another one's reply, and how many such others there are."""
    parents = [spec.given["parent_id"] for spec in plan.episodes if "parent_id" in spec.given]
    return len(parents), len(set(parents))


def _basis(cells: Sequence[CellEstimate]) -> str:
    ended, replies = sum(one.ended for one in cells), sum(one.replies for one in cells)
    if all(one.basis in ("episodes", "other episodes") for one in cells):
        return f"the {ended:,} ended"
    return f"{replies:,} replies" if replies else cells[0].basis


def _spread(figure: Range | None, show: Callable[[float], str]) -> str:
    """The expected figure, and below it the interval where there is one."""
    if figure is None:
        return MISSING
    expected = show(figure.expected)
    span = _span(figure, show)
    return expected if span == expected else f"{expected}\n[dim]{span}[/dim]"


def _span(figure: Range, show: Callable[[float], str]) -> str:
    """From low to high, a unit that both share said once."""
    low, high = show(figure.low), show(figure.high)
    if low == high:
        return low
    number, _, unit = low.partition(" ")
    return f"{number if unit == high.partition(' ')[2] else low}–{high.removeprefix('$')}"


def _high(figure: Range | None) -> str:
    return MISSING if figure is None else _dollars(figure.high)


def _dollars(value: float) -> str:
    """No cents where nobody could tell them."""
    return f"${value:,.0f}" if value >= 100 else usd(value)


def _as_json(
    plan: Plan, cells: Sequence[CellEstimate], times: Timetable, samples: Samples
) -> dict[str, Any]:
    cost, all_known = known_usd([one.whole for one in cells])
    followers, shared = _shared(plan)
    return {
        "name": plan.sweep.name,
        "out": plan.sweep.out,
        "cells": len(plan.cells),
        "episodes": len(plan.episodes),
        "budget_usd": plan.sweep.budget_usd,
        "budget_per_model_usd": dict(plan.sweep.budget_per_model_usd),
        "budget_per_cell_usd": plan.sweep.budget_per_cell_usd,
        "cost_usd": asdict(cost),
        "all_costs_known": all_known,
        "time_s": asdict(times.whole),
        "withheld": withheld(plan),
        "episodes_saved": followers - shared,
        "models": [
            {
                "model": model,
                "episodes": sum(one.episodes for one in mine),
                "ended": sum(one.ended for one in mine),
                "basis": _basis(mine),
                "expected": asdict(together([one.whole for one in mine])),
                "left": asdict(together([one.left for one in mine])),
                "at_most": asdict(together([one.at_most for one in mine])),
                "spent_usd": sum(one.spent_usd for one in mine),
                "limits_key": plan.models[model].limits.key,
            }
            for model, mine in by_model(cells).items()
        ],
        "cells_in_full": [asdict(one) | {"cell_id": one.cell.cell_id} for one in cells],
        "keys": {key: asdict(lane) for key, lane in times.keys.items()},
        "machine": [asdict(demand) for demand in times.machine],
        "unlimited_keys": list(times.unlimited),
        "samples": {
            "episodes": sum(sample.episodes for sample in samples.by_kind.values()),
            "image_bytes": samples.image_bytes,
            "drawing_s": samples.drawing_s,
            "thinking_s": samples.thinking_s,
            "trouble": samples.trouble,
        },
    }
