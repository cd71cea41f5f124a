"""`mirror-ray plan` shows a sweep's expected and largest use, cost and time."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from rich.table import Table
from rich.text import Text

from mirror_ray.api.forecasting import (
    PlanForecast,
    basis_of,
    followers_of,
    forecast_of,
    growth_lines,
)
from mirror_ray.cli.arguments import with_limit
from mirror_ray.cli.budget_notes import budget_notes, dollars
from mirror_ray.cli.model_rows import GROUPS_OPTION, STANDING_OUT, ModelRows, model_rows
from mirror_ray.cli.plan_summary import summary
from mirror_ray.cli.show import console, count, duration, new_table, noted, print_json, span, spread
from mirror_ray.cli.tier_table import stopping_notes, tier_notes, tier_table
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.first_names import first_names
from mirror_ray.core.identity import variant_words
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.engine.driver.money import MISSING, spent_cell
from mirror_ray.engine.driver.rough_figures import about
from mirror_ray.providers.known_models import misspelt
from mirror_ray.stopping.forecast import until_in_words
from mirror_ray.sweep.commands import commands_of
from mirror_ray.sweep.demands import structures_in_words, withheld_in_words
from mirror_ray.sweep.duration import Timetable
from mirror_ray.sweep.estimate import CellEstimate, by_model, spent, unpriced_models
from mirror_ray.sweep.gpu_hours import gpu_hours_in_words
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.pictures import pictures_in_words
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range, known_bills_usd, together, total
from mirror_ray.sweep.registration import write_registration
from mirror_ray.sweep.sharding import shard_in_words
from mirror_ray.sweep.stages import limit_in_words


def main(arguments: Namespace) -> int:
    """Print the plan; start nothing."""
    plan = load_plan(arguments.sweep, with_limit(arguments), arguments.out)
    if (path := arguments.register) is not None:
        n_claims = len(write_registration(plan, path)["claims"])
        told = f"Registered {n_claims:,} claims in {path}; publish it before you run."
        say(Terminal(sys.stderr), told)
    forecast = forecast_of(plan)
    if not (arguments.json or arguments.details or arguments.all):
        for part in summary(forecast):
            console.print(part)
        return 0
    plan, cells, times, growth = forecast.plan, forecast.cells, forecast.times, forecast.growth
    if arguments.json:
        print_json(forecast.as_json())
        return 0
    console.print(_cells_table(plan, cells))
    rows = model_rows(cells, plan.models, times, every=arguments.all)
    console.print(_use_table(rows))
    console.print(_cost_table(plan, cells, rows, times))
    if forecast.tiers:
        console.print(tier_table(forecast.tiers, forecast.stopping))
    if any(row.section for row in rows):
        console.print(
            f"{len(by_model(cells)):,} models, by lab, family and limits: --all lists each."
        )
    tiers = tier_notes(forecast.tiers) if forecast.tiers else []
    if forecast.stopping is not None:
        cost = known_bills_usd([one.left for one in cells])[0]
        tiers += stopping_notes(forecast.stopping, cost, forecast.tiers)
    for line in (
        *(f"Applied: {words}." for words in plan.sweep.applied),
        *shard_in_words(plan.sweep.shard),
        *limit_in_words(plan),
        *until_in_words(forecast.whole),
        *tiers,
        *_notes(forecast),
    ):
        console.print(line)
    if forecast.settled:
        console.print(f"Already settled and not counted here: {forecast.settled:,} episodes.")
    if growth is not None:
        for line in growth_lines(plan, growth, forecast.samples, forecast.usage):
            say(console, line)
    if forecast.refusal is not None:
        say(
            console,
            f"{plan.sweep.out} contains another sweep: run will refuse this one."
            f"\n{forecast.refusal}",
        )
    return 0


def _cells_table(plan: Plan, cells: Sequence[CellEstimate]) -> Table:
    """Return the table of cells. The title states what all cells share; tokens and cost are
    expected totals of all models."""
    rows: dict[tuple[str, ...], list[CellEstimate]] = {}
    parts: dict[str, list[CellEstimate]] = {}
    for one in cells:
        parts.setdefault(one.cell.cell_id, []).append(one)
    for own in (one for one in cells if one.is_first):
        cell = own.cell
        # A cell's estimate is for its own model; the requests of its other models are added here.
        one = replace(own, each=total(part.each for part in parts[cell.cell_id]))
        temperature = MISSING if cell.temperature is None else f"{cell.temperature:g}"
        row = (cell.family, cell.condition, variant_words(cell.variant_label), temperature)
        rows.setdefault(row, []).append(one)
    named = ("family", "condition", "variant", "temperature")
    differ = [i for i in range(len(named)) if len({row[i] for row in rows}) > 1] or [1]
    alike_in = [_in_title(named[i], next(iter(rows))[i]) for i in range(len(named))]
    shared = "".join(f" · {words}" for i, words in enumerate(alike_in) if i not in differ)
    used = ("tokens in", "cost") if any(one.whole.tokens_in for one in cells) else ()
    columns = (*(named[i] for i in differ), "models", "episodes", "requests each", *used)
    title = f"{plan.sweep.name}: {len(plan.cells):,} cells{shared}"
    lines: list[tuple[str | Text, ...]] = []
    for words, alike in rows.items():
        to_come = [one.each for one in alike if one.ended < one.episodes]
        each = Text(MISSING)
        if to_come:
            expected = sum(one.expected for one in to_come) / len(to_come)
            low, high = min(one.low for one in to_come), max(one.high for one in to_come)
            interval = span(Range(low, expected, high), about)
            each = Text(f"{expected:.0f}")
            if low != high:
                each.append(f" {interval}", style="dim")
        episodes = count(sum(one.episodes for one in alike))
        # Agents on this machine read no tokens, and cost nothing.
        all_parts = [part.whole for one in alike for part in parts[one.cell.cell_id]]
        bill = together([whole for whole in all_parts if whole.tokens_in is not None])
        shown = (
            MISSING if bill.tokens_in is None else about(bill.tokens_in.expected),
            MISSING if bill.cost_usd is None else dollars(bill.cost_usd.expected),
        )
        named_by = (words[i] for i in differ)
        lines.append((*named_by, count(len(alike)), episodes, each, *shown[: len(used)]))
    # A finished plan has no requests left, and unpriced models have no known cost.
    return _known_table(columns, lines, title=title, left=len(differ))


def _known_table(
    columns: Sequence[str], lines: Sequence[Sequence[str | Text]], *, title: str, left: int = 1
) -> Table:
    kept = [i for i in range(len(columns)) if any(str(line[i]) != MISSING for line in lines)]
    table = new_table(*(columns[i] for i in kept), title=title, left=left)
    for line in lines:
        table.add_row(*(line[i] for i in kept))
    return table


def _in_title(name: str, value: str) -> str:
    if name == "temperature":
        return "the provider's temperature" if value == MISSING else f"temperature {value}"
    return value


def _use_table(rows: Sequence[ModelRows]) -> Table:
    columns = ("model", "calls", "tokens in", "of pictures", "tokens out")
    lines = []
    for row in rows:
        if row.section not in ("", GROUPS_OPTION):
            continue
        bill = together([one.whole for one in row.cells])
        figures = (bill.calls, bill.tokens_in, bill.tokens_image, bill.tokens_out)
        label = noted(row.label, f"{_progress(row.cells)}, by {basis_of(row.cells)}")
        lines.append((label, *(spread(one, about) for one in figures)))
    return _known_table(columns, lines, title="expected usage (interval below)")


def _cost_table(
    plan: Plan, cells: Sequence[CellEstimate], rows: Sequence[ModelRows], times: Timetable
) -> Table:
    columns = ("model", "cost", "at most", "spent", "time left")
    table = new_table(*columns, title="expected cost and time (intervals below)")
    section = ""
    for row in rows:
        if row.section not in (section, GROUPS_OPTION):
            table.add_section()
            table.add_row(Text(f"the {row.section}", style="bold"))
        section = row.section
        keys = {plan.model_of(one.cell, one.model).limits.key for one in row.cells}
        key_time = max((times.keys[key] for key in keys), key=lambda one: one.time_s.expected)
        table.add_row(
            noted(row.label, f"bottleneck: {key_time.bound_by}"),
            spread(together([one.whole for one in row.cells]).cost_usd, dollars),
            _high(together([one.at_most for one in row.cells]).cost_usd),
            spent_cell(*spent(row.cells)),
            spread(key_time.time_s, duration),
        )
    cost, all_known = known_bills_usd([one.whole for one in cells])
    table.add_section()
    table.add_row(
        noted("all", f"bottleneck: {times.whole.bound_by}"),
        Text("" if all_known else "at least ").append_text(spread(cost, dollars)),
        _high(together([one.at_most for one in cells]).cost_usd),
        spent_cell(*spent(cells)),
        spread(times.whole.time_s, duration),
    )
    return table


def _notes(forecast: PlanForecast) -> list[str | Text]:
    plan, samples, unlimited = forecast.plan, forecast.samples, forecast.times.unlimited
    played = sum(sample.episodes for sample in samples.by_kind.values())
    families = dict.fromkeys(cell.family for cell in plan.cells)
    agents = ", ".join(" and ".join(FAMILIES[family].sampled_by) for family in families)
    notes: list[str | Text] = [
        f"Samples: {played} episodes played here by {agents}; hosted models are expected halfway"
        " between two, in ratios, until this run has episodes of their own."
    ]
    followers, shared = followers_of(plan)
    if followers:
        notes.append(
            f"Shared: {followers:,} episodes follow from {shared:,} earlier ones, each bought once:"
            f" {followers - shared:,} episodes saved."
        )
    notes.extend(pictures_in_words(forecast.pictures, samples))
    notes.append(
        "At most: every episode at its last step, every reply re-asked and at its full length."
    )
    notes.extend((*structures_in_words(plan), *withheld_in_words(plan)))
    notes.extend(misspelt(plan.models.values()))
    if unpriced := unpriced_models(forecast.cells):
        named = first_names(unpriced, STANDING_OUT)
        notes.append(
            Text.assemble(
                ("Unknown prices:", "bold"),
                f" {named}. Give usd_per_mtok_in and usd_per_mtok_out in a model catalogue; the"
                " first bills will tell them too.",
            )
        )
    if unlimited:
        notes.append(
            f"Unknown limits: {first_names(unlimited, STANDING_OUT)}. They will be discovered;"
            " until then the time accounts only for concurrency and latency."
        )
    notes.extend(gpu_hours_in_words(forecast.gpus))
    notes.extend(f"Command of {one.model}: {one.text}" for one in commands_of(plan.models))
    if plan.sweep.notify is not None:
        notes.append(f"Notified: {plan.sweep.notify.in_words}.")
    if plan.sweep.replicate is not None:
        notes.append(f"Journal: replicated below {plan.sweep.replicate}.")
    return [*notes, *budget_notes(plan, forecast.cells)]


def _progress(cells: Sequence[CellEstimate]) -> str:
    ended, episodes = sum(one.ended for one in cells), sum(one.episodes for one in cells)
    return f"{ended:,} of {episodes:,} episodes" if ended else f"{episodes:,} episodes"


def _high(figure: Range | None) -> str:
    return MISSING if figure is None else dollars(figure.high)
