"""Maps a plan's cells to budget scopes, and these to their ceilings."""

from mirror_ray.core.identity import Cell
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, cell_scope, model_scope
from mirror_ray.providers.price_tiers import is_free_of_charge
from mirror_ray.sweep.plan import Plan


def ceilings_of(plan: Plan) -> dict[str, float]:
    """Scope → its ceiling in USD, for every scope that has one."""
    sweep = plan.sweep
    ceilings = {model_scope(name): usd for name, usd in sweep.budget_per_model_usd.items()}
    if sweep.budget_usd is not None:
        ceilings[SWEEP_SCOPE] = sweep.budget_usd
    if sweep.budget_per_cell_usd is not None:
        for cell in plan.cells:
            ceilings[cell_scope(cell.cell_id)] = sweep.budget_per_cell_usd
    return ceilings


def scopes_of_cell(cell: Cell) -> tuple[str, ...]:
    """Return the accounts that may pay for an episode of this cell, the widest first.

    A ledger does not separate a cell's roles: each of their models is charged the whole, so that no
    ceiling is exceeded.
    """
    models = dict.fromkeys(model_scope(name) for _, name in cell.models)
    return (SWEEP_SCOPE, *models, cell_scope(cell.cell_id))


def name_of(scope: str, plan: Plan) -> str:
    """A scope in words: ``the sweep``, a model's name, or a cell's columns."""
    for cell in plan.cells:
        if scope == cell_scope(cell.cell_id):
            at = "" if cell.temperature is None else f" at {cell.temperature:g}"
            return f"{cell.model}: {cell.family} {cell.condition}{at}, {cell.variant_label}"
    return "the sweep" if scope == SWEEP_SCOPE else scope.partition(":")[2]


def free_models(plan: Plan) -> frozenset[str]:
    """Models that certainly cost nothing: neither their calls nor GPUs of their own."""
    return frozenset(
        model.name
        for model in plan.models.values()
        if is_free_of_charge(model) and not model.usd_per_gpu_hour
    )
