"""Whoever is killed when, and however often: no more is spent than the budget, nor than was noted.

The Limiter, the clients, the attempts and the ledger's sums are the real ones; time is virtual.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import LimiterCall
from mirror_ray.engine.provider.retries import Retrier, Route
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import Kept
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually

BUDGET_USD, WORST_USD = 20.0, 1.0
ASKS, PROVIDERS, AT_ONCE = 80, 3, 2


@dataclass
class Bank:
    """The provider's own books, against which all others are held."""

    clock: Clock
    ledger: Kept
    rng: np.random.Generator
    spent_usd: float = 0.0

    async def available(self) -> None:
        pass

    async def reply(self, request: Request) -> Reply:
        """Costs something from the moment it is asked; now and then nobody hears how much."""
        usd = float(self.rng.uniform(0.0, WORST_USD))
        self.spent_usd += usd
        self.check()
        await asyncio.sleep(float(self.rng.uniform(0.1, 3.0)))
        if self.rng.random() < 0.15:
            return Reply("", error_kind="timeout", error="nothing heard")
        return Reply("yes", cost_usd=usd)

    def check(self) -> None:
        assert self.spent_usd <= self.ledger.at_most_usd() + 1e-9
        assert self.spent_usd <= BUDGET_USD + 1e-9

    async def aclose(self) -> None:
        pass


@dataclass
class Run:
    """One life of the program: a Limiter, and processes that ask for it."""

    clock: Clock
    ledger: Kept
    bank: Bank
    left: list[int]
    seeds: Iterator[int]
    denied: bool = False
    wires: list[Wire] = field(default_factory=list)
    askers: list[list[asyncio.Task[None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ledger.charges.write_off_pending()
        self.limiter: Limiter | None = self.new_limiter()
        for _ in range(PROVIDERS):
            self.begin_process()

    def new_limiter(self) -> Limiter:
        return Limiter(
            [Limits("k", rpm=600)],
            {SWEEP_SCOPE: BUDGET_USD},
            ledger=self.ledger,
            clock=self.clock,
            unix=self.clock,
        )

    def begin_process(self) -> None:
        wire = Wire(self.new_limiter())
        wire.limiter = self.limiter
        client = LimiterClient(wire.exchange, clock=self.clock)
        jitter = np.random.default_rng(next(self.seeds))
        retrier = Retrier(client, 3, jitter, lambda _: None, clock=self.clock)
        self.wires.append(wire)
        self.askers.append(
            [asyncio.create_task(self.ask_on(client, retrier)) for _ in range(AT_ONCE)]
        )

    async def ask_on(self, client: LimiterClient, retrier: Retrier) -> None:
        while self.left:
            number = self.left.pop(0)
            call = LimiterCall(
                "k",
                "model",
                "cell",
                worst_case_usd=WORST_USD,
                lasts_at_most_s=5.0,
                episode_id=f"e{number}",
                ask_index=1,
            )
            request = Request(call.episode_id, 1, "cell", "model", "", "", (), None, None, 100)
            try:
                reply = await retrier.ask(request, Route(self.bank, call))
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                self.left.append(number)
                raise
            self.ledger.record(call, client.client_id, reply.cost_usd or 0.0, reply.presumed_usd)
            if reply.error_kind == "budget":
                self.denied = True
                return

    async def kill_process(self) -> None:
        self.wires.pop(0).limiter = None
        for asker in (dead := self.askers.pop(0)):
            asker.cancel()
        await asyncio.gather(*dead, return_exceptions=True)
        self.begin_process()

    async def kill_limiter(self, away_s: float) -> None:
        for wire in self.wires:
            wire.limiter = None
        await asyncio.sleep(away_s)
        self.limiter = self.new_limiter()
        for wire in self.wires:
            wire.limiter = self.limiter

    async def kill_all(self) -> None:
        everybody = [asker for askers in self.askers for asker in askers]
        for wire in self.wires:
            wire.limiter = None
        for asker in everybody:
            asker.cancel()
        await asyncio.gather(*everybody, return_exceptions=True)

    async def end(self) -> None:
        await asyncio.gather(*(asker for askers in self.askers for asker in askers))


blows = st.tuples(
    st.floats(0.05, 4.0),
    st.sampled_from(["process", "limiter", "limiter and process", "all"]),
    st.floats(0.1, 3.0),
)


def played(seed: int, blows: list[tuple[float, str, float]]) -> tuple[Bank, Run]:
    async def scenario(clock: Clock) -> tuple[Bank, Run]:
        ledger, left, seeds = Kept(), list(range(ASKS)), iter(range(10**6))
        bank = Bank(clock, ledger, np.random.default_rng(seed))
        run = Run(clock, ledger, bank, left, seeds)
        for after_s, victim, away_s in blows:
            await asyncio.sleep(after_s)
            if victim == "all":
                await run.kill_all()
                run = Run(clock, ledger, bank, left, seeds)
            if "process" in victim:
                await run.kill_process()
            if "limiter" in victim:
                await run.kill_limiter(away_s)
        await run.end()
        bank.check()
        return bank, run

    return run_virtually(scenario)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), blows=st.lists(blows, max_size=6))
def test_a_budget_holds_whatever_is_killed(seed, blows):
    _, run = played(seed, blows)
    assert run.denied, "the budget was there to be reached"


def test_undisturbed_all_of_it_is_used_and_nothing_stays_noted():
    _, run = played(7, [])
    assert run.ledger.charges.pending() == []
    assert run.ledger.at_most_usd() > BUDGET_USD - WORST_USD
