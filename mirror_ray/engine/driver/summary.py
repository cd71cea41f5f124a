"""What a run came to, for a person and for a script: counts, exit code, what to do next."""

from dataclasses import dataclass

from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, sweep_key_of
from mirror_ray.engine.limiter.budget_scopes import ceilings_of, name_of
from mirror_ray.sweep.plan import Plan

EXIT_DONE, EXIT_FAILED, EXIT_BUDGET, EXIT_INTERRUPTED = 0, 1, 3, 130


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The result of a run.

    Args:
        episodes_planned: of the whole plan; each is done, failed, unpaid or unplayed.
        episodes_done: ended well, in this run or an earlier one.
        episodes_unpaid: begun, and stopped for lack of money; with more the same command resumes.
        episodes_unplayed: stopped before their end or not begun; the same command resumes.
        episodes_resumed: had a final end in earlier runs.
        steps: asks answered live in this run; `calls`: attempts that took.
        pictures_drawn: in this run; `pictures_reused`: shown again without being drawn.
        cost_usd: known costs of this run; `spent_usd` those of earlier runs too.
        run_unpriced: asks of this run whose cost is not wholly known: its cost is "at least".
        n_unpriced: such asks, earlier runs included: so is what was spent.
        budgets_spent: scopes of the exhausted budgets: "sweep", "model:NAME" or "cell:ID".
        wall_s: the whole run; `playing_s` from the first lease to the last episode's end.
        simulator_mib: the largest Simulator's resident memory; None where none was started.
        exit_code: 0 done, 1 finished with failed episodes, 3 budget reached, 130 interrupted.
    """

    out: str
    episodes_planned: int
    episodes_done: int
    episodes_failed: int
    episodes_unpaid: int
    episodes_unplayed: int
    episodes_resumed: int
    steps: int
    calls: int
    pictures_drawn: int
    pictures_reused: int
    cost_usd: float
    spent_usd: float
    run_unpriced: int
    n_unpriced: int
    budgets_spent: tuple[str, ...]
    wall_s: float
    playing_s: float
    simulator_mib: float | None
    exit_code: int


def exit_code(counters: RunCounters, *, interrupted: bool, budgets_spent: tuple[str, ...]) -> int:
    """The exit code. Precedence: interrupted, budget exhausted, failed episodes."""
    if interrupted:
        return EXIT_INTERRUPTED
    if budgets_spent:
        return EXIT_BUDGET
    return EXIT_FAILED if counters.failed or counters.done < counters.planned else EXIT_DONE


def how_to_go_on(plan: Plan, counters: RunCounters, budgets_spent: tuple[str, ...]) -> list[str]:
    """Lines for a person: exhausted budgets, what is left, what to do; none when all is done.

    Episodes that a spent budget ended have rows, and are played again like unplayed ones.
    """
    left = counters.unplayed + counters.unpaid
    lines = []
    if budgets_spent:
        names = [name_of(scope, plan) for scope in budgets_spent]
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        lines.append(f"Out of budget: {shown}.")
        if counters.costs.presumed_usd:
            lines.append(
                f"Up to ${counters.costs.presumed_usd:,.4f} of it may have gone to calls whose"
                " replies were lost: they count as costing all they might."
            )
    if left and budgets_spent:
        ceilings = ceilings_of(plan)
        # A model that costs more than its prices can be stopped by other scopes' budgets too.
        scopes = [scope if scope in ceilings else SWEEP_SCOPE for scope in budgets_spent]
        keys = " or ".join(dict.fromkeys(map(sweep_key_of, scopes)))
        projected_usd = counters.projected_usd
        cost = ""
        if projected_usd is not None:
            at_least = " at least" if counters.unpriced else ""
            more_usd = max(0.0, projected_usd - counters.spent_usd)
            cost = f", for about{at_least} ${more_usd:,.2f} more"
        lines.append(
            f"{left:,} of {counters.planned:,} episodes are left{cost}:"
            f" raise {keys} and run the same command to go on."
        )
    elif left:
        lines.append(f"{left:,} episodes are left: the same command goes on.")
    return lines
