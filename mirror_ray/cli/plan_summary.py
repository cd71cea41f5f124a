"""The short form of `mirror-ray plan`: episodes, cost, time, bottleneck and cheaper options."""

from collections.abc import Callable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from mirror_ray.api.forecasting import PlanForecast, growth_lines
from mirror_ray.cli.budget_notes import budget_notes, dollars
from mirror_ray.cli.show import duration
from mirror_ray.core.first_names import first_names
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.engine.driver.rough_figures import about
from mirror_ray.providers.known_models import misspelt
from mirror_ray.sweep.commands import OPTION, commands_of
from mirror_ray.sweep.demands import withheld_in_words
from mirror_ray.sweep.estimate import CellEstimate, by_model, unpriced_models
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range, known_bills_usd, together

_MOST_FAMILIES, _MOST_CONDITIONS, _MOST_MODELS, _MOST_NAMES, _MOST_BUDGETS = 3, 6, 5, 1, 2
_MOST_APPLIED = 3
_MODEL_CELLS = 38


def summary(forecast: PlanForecast) -> Iterator[str | Text | Table]:
    """Yield what to print: at most 25 lines of 80 columns, however large the sweep is."""
    plan = forecast.plan
    yield Text.assemble(
        (plan.sweep.name, "bold"), f": {len(plan.episodes):,} episodes in {len(plan.cells):,} cells"
    )
    yield from _families(forecast)
    yield ""
    yield _models(forecast)
    yield ""
    yield _figures(forecast)
    yield Text("--details prints all tables and what the figures rest on.", style="dim")


def _families(forecast: PlanForecast) -> Iterator[str]:
    cells_of: dict[str, list[CellEstimate]] = {}
    for one in forecast.cells:
        cells_of.setdefault(one.cell.family, []).append(one)
    for family, cells in list(cells_of.items())[:_MOST_FAMILIES]:
        conditions = list(dict.fromkeys(one.cell.condition for one in cells))
        temperatures = dict.fromkeys(one.cell.temperature for one in cells)
        degrees = ", ".join(f"{value:g}" for value in temperatures if value is not None)
        named = first_names(conditions, _MOST_CONDITIONS)
        yield f"  {family} {named}" + (f" · temperature {degrees}" if degrees else "")
    if len(cells_of) > _MOST_FAMILIES:
        yield f"  and {len(cells_of) - _MOST_FAMILIES} more families"


def _models(forecast: PlanForecast) -> Table:
    cells_of = by_model(forecast.cells)
    cost_of = {
        name: known_bills_usd([one.whole for one in mine])[0] for name, mine in cells_of.items()
    }
    by_cost = sorted(cells_of, key=lambda name: -cost_of[name].expected)
    shown = by_cost if len(by_cost) <= _MOST_MODELS else by_cost[: _MOST_MODELS - 1]
    # Names come last, so that the longest ones wrap without moving a figure.
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("episodes", "requests", "cost", "at most"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("model", overflow="fold", max_width=_MODEL_CELLS)
    for name in shown:
        table.add_row(*_use(cells_of[name]), name)
    others = [one for name in by_cost[len(shown) :] for one in cells_of[name]]
    if others:
        table.add_row(*_use(others), f"{len(by_cost) - len(shown):,} more models")
    return table


def _use(cells: Sequence[CellEstimate]) -> tuple[str, ...]:
    whole, most = together([one.whole for one in cells]), together([one.at_most for one in cells])
    return (
        f"{sum(one.episodes for one in cells):,}",
        about(whole.calls.expected),
        MISSING if whole.cost_usd is None else dollars(whole.cost_usd.expected),
        MISSING if most.cost_usd is None else dollars(most.cost_usd.high),
    )


def _figures(forecast: PlanForecast) -> Table:
    times = forecast.times
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    grid.add_row("Cost", _cost(forecast.cells))
    grid.add_row("Time", _with_range(times.whole.time_s, duration))
    grid.add_row("Bottleneck", times.whole.bound_by)
    if forecast.plan.sweep.replicate is not None:
        grid.add_row("Journal", f"replicated below {forecast.plan.sweep.replicate}")
    for name, words in _notes(forecast):
        grid.add_row(name, words)
    return grid


def _cost(cells: Sequence[CellEstimate]) -> str:
    cost, all_known = known_bills_usd([one.whole for one in cells])
    most = together([one.at_most for one in cells]).cost_usd
    at_most = "unknown" if most is None else dollars(most.high)
    least = "" if all_known else "at least "
    return f"{least}{_with_range(cost, dollars)}; maximum {at_most}"


def _with_range(figure: Range, show: Callable[[float], str]) -> str:
    expected, low, high = show(figure.expected), show(figure.low), show(figure.high)
    return expected if low == high else f"{expected} expected, {low} to {high} likely"


def _notes(forecast: PlanForecast) -> Iterator[tuple[str, str | Text]]:
    plan, cells, growth = forecast.plan, forecast.cells, forecast.growth
    if forecast.refusal is not None:
        yield "Refused", f"{plan.sweep.out} contains another sweep: run will refuse this one."
        yield "", forecast.refusal
    if plan.sweep.applied:
        yield "Applied", first_names(plan.sweep.applied, _MOST_APPLIED)
    if cheaper := _cheaper(forecast):
        yield "Cheaper", cheaper
    budgets = budget_notes(plan, cells)
    for note in budgets[:_MOST_BUDGETS]:
        yield "Budget", note
    if len(budgets) > _MOST_BUDGETS:
        yield "", f"and {len(budgets) - _MOST_BUDGETS} more notes on budgets"
    yield from (("Misspelt?", line) for line in misspelt(plan.models.values())[:_MOST_BUDGETS])
    if unpriced := unpriced_models(cells):
        yield "No price", first_names(unpriced, _MOST_NAMES)
    if forecast.times.unlimited:
        named = first_names(forecast.times.unlimited, _MOST_NAMES)
        yield "No limits", f"{named}: found out during the run"
    yield from _commands(plan)
    if withheld := withheld_in_words(plan):
        yield "Not sent", withheld[0].removeprefix("Not sent, as the catalogue says: ")
    if forecast.settled:
        yield "Settled", f"{forecast.settled:,} episodes are decided and will not be played"
    if growth is not None:
        lines = growth_lines(plan, growth, forecast.samples, forecast.usage)
        yield from zip(("Resumes", ""), lines, strict=False)


def _commands(plan: Plan) -> Iterator[tuple[str, str]]:
    commands = commands_of(plan.models)
    for command in commands:
        yield "Command", f"{command.model}: {command.text}"
    if plan.sweep.notify is not None and plan.sweep.notify.command:
        yield "Command", f"notifications: {plan.sweep.notify.in_words}"
    if commands and not plan.catalogues_are_own:
        yield "", f"run starts them only with {OPTION}"


def _cheaper(forecast: PlanForecast) -> str:
    taken = [one for one in forecast.tiers if not one.refused]
    best = min(taken, key=lambda one: one.cost_usd.expected, default=None)
    cost = known_bills_usd([one.left for one in forecast.cells])[0]
    saved = 0.0 if best is None else cost.expected - best.cost_usd.expected
    if best is None or saved < 0.005:
        return ""
    names = list(best.models)
    if len(names) == len(forecast.plan.models):
        choice = f"tier={best.tier}"
    else:
        choice = f"tier {best.tier} for {names[0] if len(names) == 1 else f'{len(names)} models'}"
    return f"{choice} saves {dollars(saved)}, takes {duration(best.time_s.expected)}"
