"""The end of a run: its exit code, and what a person can do next."""

from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.run_summary import (
    EXIT_BUDGET,
    EXIT_DONE,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    RunSummary,
)
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, ceilings_of, name_of, sweep_key_of
from mirror_ray.sweep.plan import Plan

_MOST_NAMED = 3


def exit_code(counters: RunCounters, *, interrupted: bool, budgets_spent: tuple[str, ...]) -> int:
    """Return the exit code. An interruption takes precedence over a spent budget, and that over
    errors."""
    if interrupted:
        return EXIT_INTERRUPTED
    if budgets_spent:
        return EXIT_BUDGET
    is_over = counters.done + counters.settled == counters.planned
    return EXIT_DONE if is_over else EXIT_FAILED


def gpu_words(summary: RunSummary) -> list[str]:
    """Return readable lines on GPU time and cost of the run's own servers, if it has any."""
    if not summary.gpu_hours:
        return []
    cost = "of unknown price" if summary.gpu_usd is None else f"${summary.gpu_usd:,.2f}"
    return [f"GPU hours, earlier runs included: {summary.gpu_hours:,.2f}, {cost}."]


def how_to_go_on(plan: Plan, counters: RunCounters, budgets_spent: tuple[str, ...]) -> list[str]:
    """Return lines on exhausted budgets, what is left and what to do; none if all is done. Episodes
    that a spent budget ended have rows, and are played again."""
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
        # A model that costs more than its stated prices may also exhaust other scopes' budgets.
        scopes = [scope if scope in ceilings else SWEEP_SCOPE for scope in budgets_spent]
        keys = " or ".join(dict.fromkeys(map(sweep_key_of, scopes)))
        projected_usd = counters.projected_usd
        cost = ""
        if projected_usd is not None:
            at_least = " at least" if counters.unpriced else ""
            more_usd = max(0.0, projected_usd - counters.spent_usd)
            cost = f", for about{at_least} ${more_usd:,.2f} more"
        are = "is" if left == 1 else "are"
        lines.append(
            f"{left:,} of {counters.planned:,} episodes {are} left{cost}:"
            f" raise {keys} and run the same command to resume."
        )
    elif left:
        lines.append(f"{left_words(counters)}: the same command resumes.")
    return lines


def left_words(counters: RunCounters) -> str:
    """State how many episodes are left to play, and which models' servers do not answer."""
    left = counters.unplayed + counters.unpaid
    said = "1 episode is left" if left == 1 else f"{left:,} episodes are left"
    down = [line.model for line in counters.lines if line.unreachable is not None]
    if not down:
        return said
    more = f" and {len(down) - _MOST_NAMED:,} more" if len(down) > _MOST_NAMED else ""
    return f"{said}, and {', '.join(down[:_MOST_NAMED])}{more} cannot be reached"
