"""Which episode comes next, and who gets none."""

import asyncio

import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.engine.driver.episode_order import EpisodeOrder
from mirror_ray.engine.driver.leases import (
    BUDGET_SPENT,
    EPISODE_FAILURES_IN_A_ROW,
    MAX_DEATHS,
    MOST_IN_A_ROW,
    Leases,
)
from mirror_ray.engine.limiter.budget import cell_scope, model_scope
from mirror_ray.engine.simulator.messages import Lease
from mirror_ray.sweep.in_flight import Capacity


def leases_of(*models):
    return [
        Lease(EpisodeSpec(Cell("selfid", "E1", (("subject", model),), None, "paper"), seed, 0))
        for seed, model in enumerate(models)
    ]


def all_of(leases, limit_key_of=None, free=()):
    """Models share one key unless told otherwise, so that the plan's order holds."""
    one_key = {lease.spec.cell.model: "key" for lease in leases}
    return Leases(EpisodeOrder(leases, one_key if limit_key_of is None else limit_key_of), free)


async def test_in_order_until_none_is_left():
    first, second = leases_of("a", "b")
    leases = all_of([first, second])
    assert [await leases.take(), await leases.take()] == [first, second]
    leases.done(first, "none", None)
    leases.done(second, "none", None)
    assert await leases.take() is None
    assert leases.unplayed == 0


async def test_taker_waits_for_what_may_come_back():
    (only,) = leases_of("a")
    leases = all_of([only])
    await leases.take()
    waiting = asyncio.create_task(leases.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert leases.died(only, reached=0)
    again = await waiting
    assert (again.spec, again.deaths) == (only.spec, 1)


async def test_a_pair_is_stopped_where_nobody_knows_whose_key_is_wrong():
    models = (("subject", "a"), ("partner", "b"))
    pair = Cell("dyad", "mirror", models, None, "plain")
    own = Cell("dyad", "mirror", (("subject", "a"), ("partner", "a")), None, "plain")
    todo = [
        *(Lease(EpisodeSpec(pair, seed, 0)) for seed in range(EPISODE_FAILURES_IN_A_ROW + 1)),
        Lease(EpisodeSpec(own, 9, 0)),
    ]
    leases = all_of(todo)
    for _ in range(EPISODE_FAILURES_IN_A_ROW):
        leases.done(await leases.take(), "auth", "wrong key")
    assert leases.stopped == {cell_scope(pair.cell_id): "wrong key"}
    assert (await leases.take()).spec.cell == own


async def test_given_up_after_so_many_deaths():
    (lease,) = leases_of("a")
    leases = all_of([lease])
    outcomes = []
    for _ in range(MAX_DEATHS):
        lease = await leases.take()
        outcomes.append(leases.died(lease, reached=4))
    assert outcomes == [True] * (MAX_DEATHS - 1) + [False]
    leases.done(lease, "internal", "given up")
    assert await leases.take() is None


async def test_not_given_up_as_long_as_it_gets_further():
    (lease,) = leases_of("a")
    leases = all_of([lease])
    for reached in range(1, 3 * MAX_DEATHS):
        assert leases.died(await leases.take(), reached)
    for outcome in [True] * (MAX_DEATHS - 2) + [False]:
        assert leases.died(await leases.take(), reached) is outcome


async def test_model_that_is_turned_away_is_stopped_and_others_go_on():
    todo = leases_of(*["a"] * EPISODE_FAILURES_IN_A_ROW, "a", "b")
    leases = all_of(todo)
    for _ in range(EPISODE_FAILURES_IN_A_ROW):
        leases.done(await leases.take(), "auth", "wrong key")
    assert leases.stopped == {"model:a": "wrong key"}
    assert await leases.take() == todo[-1]
    assert leases.unplayed == 1


async def test_a_model_that_cannot_be_reached_is_stopped_at_once_and_its_episodes_are_kept():
    todo = leases_of("a", "a", "a", "b")
    leases = all_of(todo)
    leases.done(await leases.take(), "connection", "left alone", model_scope("a"))
    assert leases.stopped == {"model:a": "left alone"}
    assert await leases.take() == todo[-1]
    assert (leases.unplayed, leases.spent) == (2, ())


async def test_fast_rejections_do_not_stop_a_model_whose_answers_are_still_to_come():
    leases = all_of(leases_of(*["a"] * 20))
    slow = [await leases.take() for _ in range(4)]
    for kind in ["bad_request"] * 6:
        leases.done(await leases.take(), kind, "unfit picture")
    assert leases.stopped == {}
    leases.done(slow.pop(), "none", None)
    for _ in range(2):
        leases.done(await leases.take(), "bad_request", "unfit picture")
    assert leases.stopped == {}
    for one in slow:
        leases.done(one, "bad_request", "unfit picture")
    assert leases.stopped == {"model:a": "unfit picture"}


async def test_rejections_do_not_go_on_for_ever_while_one_call_hangs():
    leases = all_of(leases_of(*["a"] * 2 * MOST_IN_A_ROW))
    await leases.take()
    for _ in range(MOST_IN_A_ROW):
        assert leases.stopped == {}
        leases.done(await leases.take(), "bad_request", "no")
    assert leases.stopped == {"model:a": "no"}


@pytest.mark.parametrize("kind", ["none", "parse", "content_filter", "refusal", "context_window"])
async def test_every_answer_of_a_model_is_a_success(kind):
    leases = all_of(leases_of(*["a"] * 9))
    for one in ("bad_request", "bad_request", kind, "bad_request", "bad_request"):
        leases.done(await leases.take(), one, None)
    assert leases.stopped == {}


async def test_success_in_between_keeps_a_model_going():
    leases = all_of(leases_of(*["a"] * 9))
    for kind in ("auth", "bad_request", "none", "auth", "timeout", "auth", "none"):
        leases.done(await leases.take(), kind, None)
    assert leases.stopped == {}


@pytest.mark.parametrize(
    ("scope", "goes_on"),
    [("sweep", ["free"]), ("model:a", ["b", "free"]), ("cell", ["b", "free", "a"])],
)
async def test_a_spent_budget_stops_its_own_scope_only(scope, goes_on):
    """The first two of model a are of one cell; the last is of another."""
    one = Cell("selfid", "E1", (("subject", "a"),), None, "paper")
    other = Cell("selfid", "E2", (("subject", "a"),), None, "paper")
    specs = [EpisodeSpec(one, 0, 0), EpisodeSpec(one, 1, 0)]
    todo = [*map(Lease, specs), *leases_of("b", "free"), Lease(EpisodeSpec(other, 0, 0))]
    leases = all_of(todo, free=("free",))
    scope = cell_scope(one.cell_id) if scope == "cell" else scope
    leases.done(await leases.take(), "budget", None, scope)
    taken = []
    while lease := await leases.take():
        taken.append(lease.spec.cell.model)
        leases.done(lease, "none", None)
    assert taken == goes_on
    assert leases.spent == (scope,)
    assert leases.stopped == {scope: BUDGET_SPENT}
    assert leases.unplayed == 4 - len(goes_on)


async def test_an_episode_that_comes_back_after_its_model_was_stopped_is_withheld():
    first, second = leases_of("a", "a")
    leases = all_of([first, second])
    await leases.take()
    await leases.take()
    leases.done(first, "budget", None, model_scope("a"))
    assert leases.died(second, reached=0)
    assert await leases.take() is None
    assert leases.unplayed == 1


async def test_takers_are_served_as_soon_as_there_is_use_for_one_more():
    leases = all_of(leases_of("a", "a", "a"))
    leases.expect({"key": Capacity(1.0, 1)})
    first = await leases.take()
    waiting = [asyncio.create_task(leases.take()) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    leases.done(first, "none", None)
    await asyncio.sleep(0)
    assert [task.done() for task in waiting] == [True, False]
    leases.expect({"key": Capacity(2.0, 2)})
    assert await waiting[1]


async def test_a_taker_that_went_away_takes_nothing_along():
    first, second = leases_of("a", "a")
    leases = all_of([first, second])
    leases.expect({"key": Capacity(1.0, 1)})
    await leases.take()
    gone, stays = (asyncio.create_task(leases.take()) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    leases.done(first, "none", None)
    assert await stays == second


async def test_drained_leases_hand_out_nothing_and_count_what_is_left():
    leases = all_of(leases_of("a", "a", "a"))
    held = await leases.take()
    leases.drain()
    assert await leases.take() is None
    leases.suspended(held)
    assert leases.unplayed == 3


async def test_paused_hands_out_nothing_and_does_not_end():
    first, second = leases_of("a", "b")
    leases = all_of([first, second])
    assert await leases.take() == first
    leases.pause(paused=True)
    leases.done(first, "none", None)
    waiting = asyncio.create_task(leases.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    leases.pause(paused=False)
    assert await waiting == second


async def test_paused_and_drained_ends():
    leases = all_of(leases_of("a"))
    leases.pause(paused=True)
    leases.drain()
    assert await leases.take() is None
    assert leases.unplayed == 1


async def test_what_failed_is_played_again_but_not_what_is_spent_or_final():
    todo = leases_of(*["a"] * (EPISODE_FAILURES_IN_A_ROW + 1), "b", "b", "c")
    leases = all_of(todo)
    for _ in range(EPISODE_FAILURES_IN_A_ROW):
        leases.done(await leases.take(), "auth", "wrong key")
    leases.done(await leases.take(), "parse", "no colour")
    leases.done(await leases.take(), "budget", "spent", model_scope("b"))
    leases.done(await leases.take(), "none", None)
    assert leases.stopped == {"model:a": "wrong key", "model:b": BUDGET_SPENT}

    assert leases.play_failed_again() == [("a", "auth")] * EPISODE_FAILURES_IN_A_ROW
    again = [await leases.take() for _ in range(EPISODE_FAILURES_IN_A_ROW + 1)]
    assert {one.spec.scene_seed for one in again} == set(range(EPISODE_FAILURES_IN_A_ROW + 1))
    assert leases.stopped == {"model:b": BUDGET_SPENT}
    assert leases.play_failed_again() == []


async def test_an_episode_played_again_for_a_person_may_survive_as_many_deaths_as_any():
    (lease,) = leases_of("a")
    leases = all_of([lease])
    for reached in (4, 4):
        assert leases.died(await leases.take(), reached)
    leases.done(await leases.take(), "connection", "no route")
    assert leases.play_failed_again() == [("a", "connection")]
    again = await leases.take()
    assert (again.spec, again.deaths) == (lease.spec, 0)
    assert [leases.died(again, reached=4), leases.died(await leases.take(), reached=4)] == [
        True
    ] * 2
