"""Which episode comes next, and who gets none."""

import asyncio

from mirror_ray.engine.leases import FAILURES_IN_A_ROW, MAX_DEATHS, Lease, Leases
from mirror_ray.types import Cell, EpisodeSpec


def leases_of(*models):
    return [
        Lease(EpisodeSpec(Cell("selfid", "E1", (("subject", model),), None, "paper"), seed, 0))
        for seed, model in enumerate(models)
    ]


async def test_in_order_until_none_is_left():
    first, second = leases_of("a", "b")
    leases = Leases([first, second])
    assert [await leases.take(), await leases.take()] == [first, second]
    leases.done(first, "none", None)
    leases.done(second, "none", None)
    assert await leases.take() is None
    assert leases.unplayed == 0


async def test_taker_waits_for_what_may_come_back():
    (only,) = leases_of("a")
    leases = Leases([only])
    await leases.take()
    waiting = asyncio.create_task(leases.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert leases.died(only)
    again = await waiting
    assert (again.spec, again.deaths) == (only.spec, 1)


async def test_given_up_after_so_many_deaths():
    (lease,) = leases_of("a")
    leases = Leases([lease])
    outcomes = []
    for _ in range(MAX_DEATHS):
        lease = await leases.take()
        outcomes.append(leases.died(lease))
    assert outcomes == [True] * (MAX_DEATHS - 1) + [False]
    leases.done(lease, "internal", "given up")
    assert await leases.take() is None


async def test_model_that_is_turned_away_is_stopped_and_others_go_on():
    todo = leases_of(*["a"] * FAILURES_IN_A_ROW, "a", "b")
    leases = Leases(todo)
    for _ in range(FAILURES_IN_A_ROW):
        leases.done(await leases.take(), "auth", "wrong key")
    assert leases.stopped_models == {"a": "wrong key"}
    assert await leases.take() == todo[-1]
    assert leases.unplayed == 1


async def test_success_in_between_keeps_a_model_going():
    leases = Leases(leases_of(*["a"] * 9))
    for kind in ("auth", "bad_request", "none", "auth", "timeout", "auth", "none"):
        leases.done(await leases.take(), kind, None)
    assert leases.stopped_models == {}


async def test_spent_budget_stops_the_model_at_once():
    leases = Leases(leases_of("a", "a", "free"))
    leases.done(await leases.take(), "budget", None)
    lease = await leases.take()
    assert lease.spec.cell.model == "free"


async def test_drained_leases_hand_out_nothing_and_count_what_is_left():
    leases = Leases(leases_of("a", "a", "a"))
    await leases.take()
    leases.drain()
    assert await leases.take() is None
    leases.stopped()
    assert leases.unplayed == 3
