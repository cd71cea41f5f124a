"""Models dearer than their prices say pass a budget by no more than the first surprise."""

import asyncio
import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, Budget, model_scope, scopes_of
from mirror_ray.engine.limiter.client import LimiterClient, SendSlot
from mirror_ray.engine.limiter.messages import CallResult, Denied
from mirror_ray.engine.provider.retries import Retrier, Route
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import Kept, call, with_client
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually

NO_COST = [math.nan, math.inf, -math.inf, -1000.0, 1e300, 2**80, -1, "1.5", True, [1]]
SCOPES = scopes_of("model", "cell")

hostile_usd = st.sampled_from(NO_COST) | st.floats() | st.floats(0.0, 2.0) | st.none()


@dataclass
class Shop:
    """A server that bills what it likes, and what it has billed."""

    bills: "list[float | None]"
    billed: list[float] = field(default_factory=list)
    under_way: int = 0
    first_told: int | None = None

    async def available(self) -> None:
        pass

    async def reply(self, request: Request) -> Reply:
        usd = self.bills[min(len(self.billed), len(self.bills) - 1)]
        self.billed.append(usd or 0.0)
        self.under_way += 1
        await asyncio.sleep(1.0 + 0.01 * (len(self.billed) % 7))
        if self.first_told is None and usd:
            self.first_told = self.under_way
        self.under_way -= 1
        return Reply("yes", cost_usd=usd)

    async def aclose(self) -> None:
        pass


@dataclass
class Market:
    """Processes that ask one shop for one model, and another that is honest."""

    clock: Clock
    ledger: Kept
    budget_usd: float

    def limiter(self) -> Limiter:
        return Limiter(
            [Limits("k", rpm=6000)],
            {SWEEP_SCOPE: self.budget_usd},
            ledger=self.ledger,
            clock=self.clock,
            unix=self.clock,
        )

    async def ask(
        self, shop: Shop, limiter: Limiter, worst_usd: float | None, model: str = "model",
        *, clients: int = 3, at_once: int = 2, asks: int = 5, restart_after_s: float | None = None,
    ) -> list[Reply]:  # fmt: skip
        """Every process asks so often, some at a time; what comes of it is recorded."""
        wires = [Wire(limiter) for _ in range(clients)]
        replies: list[Reply] = []

        async def asker(number: int, wire: Wire, client: LimiterClient) -> None:
            retrier = Retrier(
                client, 1, np.random.default_rng(number), lambda _: None, clock=self.clock
            )
            for turn in range(asks):
                name = f"{model}-{number}-{turn}"
                wanted = call(usd=worst_usd, model=model, episode_id=name, ask_index=1)
                request = Request(name, 1, "cell", model, "", "", (), None, None, 100)
                reply = await retrier.ask(request, Route(shop, wanted))
                cost_usd, presumed_usd = reply.cost_usd or 0.0, reply.presumed_usd
                self.ledger.record(wanted, client.client_id, cost_usd, presumed_usd)
                replies.append(reply)

        async def restart() -> None:
            if restart_after_s is not None:
                await asyncio.sleep(restart_after_s)
                for wire in wires:
                    wire.limiter = None
                await asyncio.sleep(1.0)
                later = self.limiter()
                for wire in wires:
                    wire.limiter = later

        everybody = []
        for wire in wires:
            client = LimiterClient(wire.exchange, clock=self.clock)
            everybody += [asker(len(everybody) + n, wire, client) for n in range(at_once)]
        await asyncio.gather(restart(), *everybody)
        return replies


@pytest.mark.parametrize(
    ("worst_usd", "bill_usd"), [(0.0, 1.6), (None, 1.6), (0.01, 0.1), (0.5, 5.0)]
)
@pytest.mark.parametrize("restart_after_s", [None, 0.5, 1.5])
def test_a_budget_is_passed_by_no_more_than_was_under_way_at_the_first_surprise(
    worst_usd, bill_usd, restart_after_s
):
    async def scenario(clock: Clock) -> None:
        budget_usd = 4 * bill_usd
        market = Market(clock, Kept(), budget_usd)
        shop = Shop([bill_usd])
        replies = await market.ask(
            shop, market.limiter(), worst_usd, restart_after_s=restart_after_s
        )
        assert {one.error_kind for one in replies} == {"none", "budget"}
        assert {one.closed_scope for one in replies} <= {None, SWEEP_SCOPE, model_scope("model")}
        assert shop.first_told is not None
        most_usd = max(budget_usd, shop.first_told * bill_usd)
        assert sum(shop.billed) <= most_usd + 1e-9
        # The next run, and the one after it, know of it from their first call on.
        for _ in range(2):
            before = len(shop.billed)
            left_usd = budget_usd - sum(shop.billed)
            market.ledger.charges.write_off_pending()
            await market.ask(shop, market.limiter(), worst_usd)
            assert (len(shop.billed) - before) * bill_usd <= max(0.0, left_usd) + 1e-9

    run_virtually(scenario)


def test_a_model_that_is_dearer_than_its_prices_stops_alone():
    async def scenario(clock: Clock) -> None:
        market = Market(clock, Kept(), 10.0)
        limiter = market.limiter()
        dear, honest = Shop([4.0]), Shop([0.25])
        first = await market.ask(dear, limiter, 0.0, "dear", clients=1, at_once=1, asks=4)
        second = await market.ask(honest, limiter, 0.25, "honest", clients=1, at_once=2, asks=3)
        assert [one.error_kind for one in first] == ["none", "none", "budget", "budget"]
        assert first[-1].closed_scope == model_scope("dear")
        assert "up to $4.0000" in first[-1].error
        assert "raise budget_usd" in first[-1].error
        assert [one.error_kind for one in second] == ["none"] * 6
        assert market.ledger.charges.sums().spent_usd == {"cell": 8.0 + 1.5}

    run_virtually(scenario)


bills = st.lists(hostile_usd | st.floats(0.0, 20.0), min_size=1, max_size=12)


@settings(max_examples=60)
@given(
    bills=bills,
    worst_usd=st.none() | st.floats(0.0, 2.0),
    restart_after_s=st.none() | st.floats(0.0, 6.0),
)
def test_whatever_is_billed_sums_grow_and_a_spent_budget_buys_nothing(
    bills, worst_usd, restart_after_s
):
    """What is known to be spent never passes the budget by more than one round of calls."""

    async def scenario(clock: Clock) -> None:
        market = Market(clock, Kept(), 3.0)
        shop = Shop(bills)
        replies = await market.ask(
            shop, market.limiter(), worst_usd, restart_after_s=restart_after_s
        )
        costs = [one.cost_usd for one in replies]
        known_usd = sum(usd for usd in costs if usd is not None)
        assert all(usd is None or 0 <= usd < math.inf for usd in costs)
        spent_usd = sum(market.ledger.charges.sums().spent_usd.values())
        assert spent_usd == pytest.approx(known_usd, rel=1e-6, abs=1e-9)
        highest_usd = max((usd for usd in costs if usd is not None), default=0.0)
        # Six at a time, each of which may cost more than any before it.
        assert known_usd <= 3.0 + 6 * highest_usd + 1e-9

    run_virtually(scenario)


def test_calls_under_way_are_set_aside_for_at_what_another_of_their_model_has_cost():
    budget = Budget({SWEEP_SCOPE: 10.0})
    for grant_id, (model, usd) in enumerate([("a", 0.0), ("a", 3.0), ("b", 0.5)]):
        budget.reserve(grant_id, usd, scopes_of(model, "cell"))
    budget.raise_to(2.0, model_scope("a"))
    assert budget.account(SWEEP_SCOPE).reserved_usd == 2.0 + 3.0 + 0.5
    assert budget.account("model:a").reserved_usd == 5.0
    for grant_id in range(3):
        budget.settle(grant_id, 0.0)
    assert {account.reserved_usd for account in budget.stats().values()} == {0.0}


def test_a_slot_says_what_is_set_aside_for_it():
    async def scenario(_: Clock, client: LimiterClient, __: Limiter) -> None:
        first = await client.slot(call(usd=0.0))
        assert first == SendSlot(1, 0.0)
        client.settle(first, CallResult(cost_usd=0.5))
        second = await client.slot(call(usd=0.0))
        assert second == SendSlot(2, 0.5)
        client.settle(second, CallResult(cost_usd=0.5))
        assert isinstance(await client.slot(call(usd=0.0)), Denied)

    with_client(scenario, Limits("k", rpm=600), {SWEEP_SCOPE: 1.0})
