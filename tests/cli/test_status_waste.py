"""What `status` says of money spent on replies that could not be used."""

from mirror_ray.cli.status_waste import wasted_lines
from mirror_ray.core.types import Attempt, Reply
from support.recorded_run import plan_for, record_run


def test_money_that_bought_no_reading_is_counted_once(tmp_path):
    """A failed attempt and an ask that failed; replies that nobody could read, and the last of the
    first step, after which none was asked for."""
    out = tmp_path / "run"
    plan = plan_for(out, runs=1)
    failed = Attempt("now", 0.1, "server", "500", 0.5)

    def says(request):
        if request.ask_index == 1:
            return Reply("no action", cost_usd=0.75, failed_attempts=(failed,), attempts=2)
        if request.ask_index == 2:
            return Reply("no action at all", cost_usd=0.125)
        if request.ask_index == 3:
            return Reply("no action", cost_usd=0.0625)
        return Reply("", error_kind="timeout", error="too slow", cost_usd=None)

    record_run(plan, says)
    (first, *_) = wasted_lines(str(out))
    assert first == (
        "Bought no reading: all models: ≥$0.50 on failed attempts (2),"
        " ≥$0.31 on replies that were asked for again (2),"
        " ≥$0.12 on replies that could not be read (1)."
    )
