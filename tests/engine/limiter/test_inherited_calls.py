"""Calls that an earlier Limiter left in flight are paid for once, whatever becomes of them."""

from itertools import count

import pytest

from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, Budget, scopes_of
from mirror_ray.engine.limiter.inherited_calls import InheritedCall, InheritedCalls
from mirror_ray.engine.limiter.messages import LimiterCall
from mirror_ray.records.journal.batch_notes import BATCHED
from mirror_ray.records.journal.charges import PendingCall

SCOPES = scopes_of("m", "c")
AT_MOST_USD = 4.0


def inherited(*askers: str, noted: bool = True) -> tuple[Budget, InheritedCalls]:
    """Of each asker, the first ask of episode "e"."""
    budget = Budget({SWEEP_SCOPE: 10.0})
    calls = [
        InheritedCall(PendingCall("e", 1, asker, "c", AT_MOST_USD), SCOPES) for asker in askers
    ]
    return budget, InheritedCalls(calls, budget, count(), noted=noted)


def call(ask_index: int = 1, usd: float | None = 1.0) -> LimiterCall:
    return LimiterCall("k", "m", "c", 100, usd, episode_id="e", ask_index=ask_index)


def sums(budget: Budget) -> tuple[float, float]:
    """What is presumed, and what is reserved; of the sweep, and alike of model and cell."""
    assert len({(one.presumed_usd, one.reserved_usd) for one in budget.stats().values()}) == 1
    account = budget.account(SWEEP_SCOPE)
    assert account.spent_usd == 0.0
    return account.presumed_usd, account.reserved_usd


def test_what_its_client_reports_is_counted_by_the_report_and_only_earlier_attempts_beside_it():
    budget, calls = inherited("a", "b")
    assert sums(budget) == (0.0, 2 * AT_MOST_USD)
    for _ in range(2):  # told twice
        calls.reported("a", call(usd=1.0))
        assert sums(budget) == (AT_MOST_USD - 1.0, AT_MOST_USD)
    calls.reported("a", call(ask_index=2))
    calls.reported("another", call())
    assert sums(budget) == (AT_MOST_USD - 1.0, AT_MOST_USD)


def test_an_ask_that_is_out_in_a_batch_reserves_once_when_it_is_waited_for_anew():
    budget, calls = inherited(BATCHED, "a")
    calls.asked_again(call(ask_index=2))
    assert sums(budget) == (0.0, 2 * AT_MOST_USD)
    for _ in range(2):
        calls.asked_again(call())
        assert sums(budget) == (0.0, AT_MOST_USD)


def test_what_nobody_will_report_is_charged_in_full_but_not_what_is_out_in_batches():
    budget, calls = inherited("a", "b", BATCHED)
    calls.charge_in_full("a")
    assert sums(budget) == (AT_MOST_USD, 2 * AT_MOST_USD)
    for _ in range(2):
        calls.charge_in_full()
        assert sums(budget) == (2 * AT_MOST_USD, AT_MOST_USD)
    calls.asked_again(call())
    assert sums(budget) == (2 * AT_MOST_USD, 0.0)


@pytest.mark.parametrize(
    ("asker", "usd", "noted", "recorded"),
    [
        ("a", 1.0, True, False),  # in flight
        ("b", 1.0, True, True),  # it was noted, and is no more
        ("b", None, True, True),
        ("b", 0.0, True, False),  # what is free is not noted
        ("b", 1.0, False, False),
    ],
)
def test_a_call_that_was_noted_and_is_not_inherited_has_its_cost_on_record(
    asker, usd, noted, recorded
):
    _, calls = inherited("a", noted=noted)
    assert calls.is_recorded(asker, call(usd=usd)) == recorded
