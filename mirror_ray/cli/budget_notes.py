"""Notes that compare a sweep's budgets with its expected cost."""

from collections.abc import Sequence

from rich.text import Text

from mirror_ray.engine.driver.money import usd_words
from mirror_ray.sweep.estimate import CellEstimate, by_model
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import known_bills_usd, together

_MOST_NOTES = 8


def budget_notes(plan: Plan, cells: Sequence[CellEstimate]) -> list[str | Text]:
    """Compare every budget with the cost to cover; name only models and cells that need more."""
    sweep = plan.sweep
    ceilings = [(f"budget_usd {usd_words(sweep.budget_usd)}", sweep.budget_usd, list(cells), True)]
    of_model: dict[str, list[CellEstimate]] = {}
    of_cell: dict[str, list[CellEstimate]] = {}
    for one in cells:
        # A model's budget is charged with the full cost of every episode in which it takes part.
        for model in {name for _, name in one.cell.models}:
            of_model.setdefault(model, []).append(one)
        of_cell.setdefault(one.cell.cell_id, []).append(one)
    for model in by_model(cells):
        ceiling_usd = sweep.budget_per_model_usd.get(model)
        told = f"budget_per_model_usd {usd_words(ceiling_usd)} for {model}"
        ceilings.append((told, ceiling_usd, of_model[model], False))
    for mine in of_cell.values():
        cell, ceiling_usd = mine[0].cell, sweep.budget_per_cell_usd
        told = f"budget_per_cell_usd {usd_words(ceiling_usd)} for {cell.condition} with"
        ceilings.append((f"{told} {cell.model}", ceiling_usd, mine, False))
    notes: list[str | Text] = []
    for told, ceiling_usd, paid_for, always in ceilings:
        if ceiling_usd is not None:
            suffices, verdict = _verdict(ceiling_usd, paid_for)
            if always or not suffices:
                notes.append(Text.assemble(f"{told}: ", verdict))
    if len(notes) > _MOST_NOTES:
        left = len(notes) - _MOST_NOTES
        notes[_MOST_NOTES:] = [f"… and {left:,} more budgets that are, or may be, too small."]
    return notes or ["No budget: the spending ends with the plan."]


def _verdict(ceiling_usd: float, cells: Sequence[CellEstimate]) -> tuple[bool, Text]:
    """Return whether the expected cost surely fits the budget, and the text that says so."""
    cost, all_known = known_bills_usd([one.whole for one in cells])
    most = together([one.at_most for one in cells]).cost_usd
    if cost.expected > ceiling_usd:
        expected = dollars(cost.expected)
        return False, Text.assemble(("too little", "bold red"), f" for the {expected} expected.")
    if most is not None and most.high <= ceiling_usd:
        return True, Text("enough, even at worst.")
    if cost.high > ceiling_usd:
        stopped = "; what it stops can be resumed."
        return False, Text.assemble(("may not suffice", "yellow"), stopped)
    known = "." if all_known else " at known prices."
    return True, Text(f"enough for what is expected{known}")


def dollars(value: float) -> str:
    """Format dollars, without cents if the estimate is too coarse for them."""
    return f"${value:,.0f}" if value >= 100 else usd_words(value)
