"""The result of a run as plain data, which can be imported without Ray."""

from dataclasses import dataclass

EXIT_DONE, EXIT_FAILED, EXIT_BUDGET, EXIT_INTERRUPTED = 0, 1, 3, 130
EXIT_UNFINISHED = 5
"""Exit code of `status`: episodes are left; the run plays, or can be resumed."""
OUT_OF_BUDGET = "out of budget"
"""Why a run stopped, in the words of its log."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The result of a run.

    Args:
        episodes_planned: in the whole plan, except those of people. Each is done, failed (ended
            with an error), unpaid, unplayed or settled.
        episodes_done: ended well, in this run or an earlier one.
        episodes_unpaid: stopped for lack of money; the same command resumes with a larger budget.
        episodes_unplayed: stopped before their end or not started; the same command resumes.
        episodes_settled: not played because `until` had decided.
        episodes_resumed: ended in earlier runs.
        steps: requests answered live in this run.
        calls: successful attempts.
        pictures_drawn: in this run.
        pictures_reused: shown again without being drawn.
        cost_usd: known costs of this run.
        spent_usd: known costs of this run and of earlier ones.
        run_unpriced, n_unpriced: requests without a fully known cost, in this run and in all runs:
            the costs are lower bounds.
        gpu_hours: of the run's servers, in all runs.
        gpu_usd: the cost of these hours; None unless all prices are known.
        budgets_spent: exhausted scopes: "sweep", "model:NAME" or "cell:ID".
        wall_s: the whole run.
        playing_s: from the first lease to the last episode's end.
        simulator_mib: the largest Simulator's resident memory; None if none was started.
        exit_code: 0 done, 1 some episodes ended with an error, 3 budget reached, 130 interrupted.
    """

    out: str
    episodes_planned: int
    episodes_done: int
    episodes_failed: int
    episodes_unpaid: int
    episodes_unplayed: int
    episodes_settled: int
    episodes_resumed: int
    steps: int
    calls: int
    pictures_drawn: int
    pictures_reused: int
    cost_usd: float
    spent_usd: float
    run_unpriced: int
    n_unpriced: int
    gpu_hours: float
    gpu_usd: float | None
    budgets_spent: tuple[str, ...]
    wall_s: float
    playing_s: float
    simulator_mib: float | None
    exit_code: int
