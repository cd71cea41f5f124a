"""What `status` says of money spent on replies that could not be used."""

import pytest

from mirror_ray.cli.status_waste import wasted_lines
from mirror_ray.core.types import Attempt, Reply
from mirror_ray.records.so_far import has_waste, unusual_asks
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


FAILED = Attempt("now", 0.1, "server", "500", 0.5)


@pytest.mark.parametrize(
    ("reply", "is_wasted"),
    [
        (Reply("action: done", cost_usd=0.5), False),
        (Reply("no action", cost_usd=0.5), True),
        (Reply("action: done", failed_attempts=(FAILED,), attempts=2), True),
        (Reply("", error_kind="timeout", error="too slow", cost_usd=None), True),
    ],
    ids=["read", "unread", "retried", "failed"],
)
def test_waste_is_seen_without_the_views_that_count_it(tmp_path, reply, is_wasted):
    out = tmp_path / "run"
    record_run(plan_for(out, runs=1), lambda _: reply)
    assert has_waste(unusual_asks(str(out))) == is_wasted
    assert bool(wasted_lines(str(out))) == is_wasted
