"""Calls of a day: where a provider's day begins, and how long it is."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from mirror_ray.engine.limiter.rates import ARRIVAL_S, WINDOW_S, DailyQuota, SlidingWindow

PACIFIC = ZoneInfo("America/Los_Angeles")


def unix_s(*utc: int) -> float:
    return datetime(*utc, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("zone", "at_unix_s", "day", "left_s"),
    [
        (UTC, unix_s(2026, 7, 1, 6), 20635, 18 * 3600),
        (UTC, unix_s(2026, 7, 1), 20635, 24 * 3600),
        # Midnight in Los Angeles is at 7:00 UTC in summer and at 8:00 in winter.
        (PACIFIC, unix_s(2026, 7, 1, 6), 20634, 3600),
        (PACIFIC, unix_s(2026, 7, 1, 7), 20635, 24 * 3600),
        (PACIFIC, unix_s(2026, 3, 8, 8), 20520, 23 * 3600),
        (PACIFIC, unix_s(2026, 11, 1, 7), 20758, 25 * 3600),
    ],
)
def test_a_spent_day_ends_at_the_providers_midnight(zone, at_unix_s, day, left_s):
    count = DailyQuota(3, zone)
    assert count.day_at(at_unix_s) == day
    count.resume(day, 3)
    waits_until_s = count.next_s(1000.0, at_unix_s)
    assert waits_until_s == 1000.0 + left_s + DailyQuota.CLOCKS_DIFFER_S
    # At midnight it may go on, once calls of the new day are claimed.
    midnight_s = at_unix_s + left_s
    assert count.wish(midnight_s) == 2
    assert count.day == day + 1
    count.claim(day, 3)
    assert count.next_s(0.0, midnight_s) == float("inf")
    count.claim(day + 1, 2)
    assert count.next_s(0.0, midnight_s) == 0.0


def test_a_call_of_yesterday_that_did_not_go_gives_nothing_back_today():
    count = DailyQuota(3)
    yesterday = count.take(unix_s(2026, 7, 1, 23, 59))
    today = count.take(unix_s(2026, 7, 2, 0, 1))
    count.give_back(yesterday)
    assert count.calls == 1
    count.give_back(today)
    assert count.calls == 0


def test_no_minute_holds_more_than_the_quota_but_for_what_is_larger_than_it():
    window = SlidingWindow(10.0)
    for at_s in (0.0, 5.0):
        assert window.next_s(at_s, 5.0) == at_s
        window.take(at_s, 5.0)
    assert window.next_s(6.0, 5.0) == WINDOW_S + ARRIVAL_S
    assert window.next_s(6.0, 6.0) == 5.0 + WINDOW_S + ARRIVAL_S
    assert window.next_s(6.0, 99.0) == 5.0 + WINDOW_S + ARRIVAL_S
    window.quota = 20.0
    assert window.next_s(6.0, 10.0) == 6.0
