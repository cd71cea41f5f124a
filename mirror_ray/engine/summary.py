"""What a run came to, as a person and a script are told at its end.

Knows exit codes and what to do next; does not know actors or records.
"""

from dataclasses import dataclass

from mirror_ray.engine.accounts import name_of
from mirror_ray.engine.board import Board
from mirror_ray.engine.budget import key_of
from mirror_ray.sweep.plan import Plan

EXIT_DONE, EXIT_FAILED, EXIT_BUDGET, EXIT_LOST, EXIT_INTERRUPTED = 0, 1, 3, 4, 130


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run came to.

    Args:
        episodes_planned: of the whole plan; each is done, failed or unplayed.
        episodes_done: ended well, in this run or an earlier one.
        episodes_unplayed: stopped before their end or not begun; the same command goes on.
        episodes_resumed: had come to a final end in earlier runs.
        steps: asks answered live in this run; `calls`: attempts that took.
        cost_usd: known costs of this run; `spent_usd` those of earlier runs too.
        budgets_spent: whose budgets ran out: "sweep", "model:NAME" or "cell:ID".
        wall_s: the whole run; `playing_s` from the first lease to the last episode's end.
        simulator_mib: the largest Simulator's resident memory; None where none was started.
        exit_code: 0 done, 1 finished with failed episodes, 3 budget reached, 130 interrupted.
    """

    out: str
    episodes_planned: int
    episodes_done: int
    episodes_failed: int
    episodes_unplayed: int
    episodes_resumed: int
    steps: int
    calls: int
    cost_usd: float
    spent_usd: float
    budgets_spent: tuple[str, ...]
    wall_s: float
    playing_s: float
    simulator_mib: float | None
    exit_code: int


def exit_code(board: Board, *, interrupted: bool, budgets_spent: tuple[str, ...]) -> int:
    """How the run ended; an interruption says more than a spent budget, and that than failures."""
    if interrupted:
        return EXIT_INTERRUPTED
    if budgets_spent:
        return EXIT_BUDGET
    return EXIT_FAILED if board.failed or board.done < board.planned else EXIT_DONE


def how_to_go_on(plan: Plan, board: Board, budgets_spent: tuple[str, ...]) -> list[str]:
    """Lines for a person: whose budget ran out, what is left, what to do; none when all is done.

    Episodes that a spent budget ended are rows, and to be played again, as unplayed ones are.
    """
    without_money = sum(line.errors.get("budget", 0) for line in board.lines)
    left = board.planned - board.done - board.failed + without_money
    lines = []
    if budgets_spent:
        names = [name_of(scope, plan) for scope in budgets_spent]
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        lines.append(f"Out of budget: {shown}.")
        if board.costs.presumed_usd:
            lines.append(
                f"Up to ${board.costs.presumed_usd:,.4f} of it may have gone to calls whose replies"
                " were lost: they count as costing all they might."
            )
    if left and budgets_spent:
        keys = " or ".join(dict.fromkeys(key_of(scope) for scope in budgets_spent))
        projected_usd = board.projected_usd
        cost = ""
        if projected_usd is not None:
            cost = f", for about ${max(0.0, projected_usd - board.spent_usd):,.2f} more"
        lines.append(
            f"{left:,} of {board.planned:,} episodes are left{cost}:"
            f" raise {keys} and run the same command to go on."
        )
    elif left:
        lines.append(f"{left:,} episodes are left: the same command goes on.")
    return lines
