"""An episode that failed, was sealed and goes on: what it asks now counts at once, and once."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.core.types import Attempt, Reply, Request
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer import live_state
from mirror_ray.viewer.live_state import LiveReader
from support.run_in_progress import in_progress, play
from support.staged_run import staged_plan
from support.whole import mostly_thorough

OWN, OTHER = "scripted/self-finder", "scripted/liar"
COST_USD = {OWN: 0.25, OTHER: 0.5}
BUSY = Attempt("2026-01-01T00:00:00+00:00", 0.1, "rate_limit", "slow down", 0.125)


class Provider:
    """Replies, and keeps the bill: what was asked of whom is told by ask and time."""

    def __init__(self) -> None:
        self.hour = 0
        self.fails_at: int | None = None
        self.error_kind = "server"
        self.bill: dict[tuple[int, int], tuple[str, Reply]] = {}

    def says(self, request: Request) -> Reply:
        ask, model = request.ask_index, request.model
        on_record = [one for (n, _), (_, one) in self.bill.items() if n == ask]
        if on_record and on_record[-1].error_kind == "none":
            return on_record[-1]
        reply = {"action": "a", "identification": "red", "tell": "blue", "selected_cube": "none"}
        found = Reply(
            json.dumps(reply),
            finish_reason="stop",
            # Of two asks in three the price is not known.
            cost_usd=COST_USD[model] if ask % 3 == 0 else None,
            started_at=f"2026-01-01T0{self.hour}:00:0{ask}+00:00",
            failed_attempts=(BUSY,) if ask > 1 else (),
            attempts=1 + (ask > 1),
        )
        if ask == self.fails_at:
            unsent = self.error_kind == "budget"
            found = replace(
                found,
                text="",
                finish_reason=None,
                error_kind=self.error_kind,
                cost_usd=0.0 if unsent else found.cost_usd,
                attempts=0 if unsent else found.attempts,
                failed_attempts=() if unsent else found.failed_attempts,
            )
        self.bill.setdefault((ask, self.hour), (model, found))
        return found

    def due(self) -> dict[str, tuple[int, int, float, int]]:
        """Model → asks, those of unknown price, known costs, retries."""
        asks, unpriced = set(), set()
        usd, retries = Counter[str](), Counter[str]()
        for (ask, _), (model, reply) in self.bill.items():
            if reply.attempts:
                asks.add((model, ask))
            if reply.cost_usd is None:
                unpriced.add((model, ask))
            usd[model] += reply.cost_usd or 0.0
            retries[model] += len(reply.failed_attempts)
        n_asks = Counter(model for model, _ in asks)
        n_unpriced = Counter(model for model, _ in unpriced)
        return {m: (n_asks[m], n_unpriced[m], usd[m], retries[m]) for m in (OWN, OTHER)}


@pytest.mark.parametrize("fails_at", mostly_thorough(3, [3, 2, 4]))
@pytest.mark.parametrize("error_kind", ["server", "budget"])
def test_an_episode_that_goes_on_counts_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int, error_kind: str
) -> None:
    monkeypatch.setattr(live_state, "_LEAST_GAP_S", 0.0)
    monkeypatch.setattr(live_state, "_IDLE_SHARE", 0)
    stage = {"family": "dyad", "conditions": ["talk"], "seeds": 1, "max_steps": 3}
    plan = staged_plan(tmp_path / "run", [OWN], {**stage, "partner": [OTHER]})
    provider = Provider()

    async def look(recorder: Recorder) -> None:
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        reader.state()
        while reader._plan_thread is not None and reader._plan_thread.is_alive():
            reader._plan_thread.join()

        def told() -> dict[str, tuple[int, int, float, int]]:
            return {
                one.model: (one.asks, one.n_unpriced, one.spent_usd, sum(one.retries.values()))
                for one in reader.state().models
            }

        provider.fails_at, provider.error_kind = fails_at, error_kind
        await play(plan, provider.says, recorder, 0)
        await recorder.seal()
        failed = provider.due()
        assert told() == failed
        # A later run resumes it, up to its fifth ask, later yet to its end.
        provider.fails_at, provider.hour = None, 1
        for most_asks in (5, 99):
            await play(plan, provider.says, recorder, 0, most_asks)
            assert told() == provider.due() != failed
        await recorder.seal()
        assert told() == provider.due()
        assert sum(asks for asks, *_ in told().values()) == 6

    in_progress(plan, look)
