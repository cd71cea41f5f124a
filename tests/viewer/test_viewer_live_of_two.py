"""Episodes of two models while they are played: what is asked and paid is the asked model's."""

import json
from pathlib import Path

import pytest

from mirror_ray.core.types import Attempt, Reply, Request
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer import live_state
from mirror_ray.viewer.live_models import models_now
from mirror_ray.viewer.live_state import LiveReader
from support.run_in_progress import in_progress, play
from support.staged_run import staged_plan

OWN, OTHER = "scripted/self-finder", "scripted/liar"
COST_USD = {OWN: 0.25, OTHER: 0.5}
REFUSED = Attempt("2026-01-01T00:00:00+00:00", 0.1, "rate_limit", "slow down", 0.125)


def says(request: Request) -> Reply:
    """What the other model's first reply costs is not known; its second was refused once."""
    reply = {"action": "a", "identification": "red", "tell": "blue", "selected_cube": "none"}
    # Who speaks first is drawn with the scene.
    turn = (request.ask_index + 1) // 2 if request.model == OTHER else None
    is_first, is_second = turn == 1, turn == 2
    return Reply(
        json.dumps(reply),
        finish_reason="stop",
        cost_usd=None if is_first else COST_USD[request.model],
        started_at=f"2026-01-01T00:00:0{request.ask_index}+00:00",
        failed_attempts=(REFUSED,) if is_second else (),
        attempts=1 + is_second,
    )


def test_counts_go_by_the_model_asked_in_play_at_the_end_and_when_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_state, "_LEAST_GAP_S", 0.0)
    monkeypatch.setattr(live_state, "_IDLE_SHARE", 0)
    stage = {"family": "dyad", "conditions": ["talk"], "seeds": 2, "max_steps": 3}
    plan = staged_plan(tmp_path / "run", [OWN], {**stage, "partner": [OTHER]})

    async def look(recorder: Recorder) -> None:
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        reader.state()
        while reader._plan_thread is not None and reader._plan_thread.is_alive():
            reader._plan_thread.join()

        def told() -> dict[str, tuple[int, int, float, dict[str, int]]]:
            return {
                one.model: (one.asks, one.n_unpriced, one.spent_usd, dict(one.retries))
                for one in reader.state().models
            }

        def sums() -> tuple[int, float]:
            """As long as the plan is being read: in all nothing is missing or counted twice."""
            reader.state()
            unread = models_now(reader._shards.connection, reader._journal.now(), {}).values()
            assert min(one.asks for one in unread) >= 0
            assert min(one.spent_usd for one in unread) >= 0
            return sum(one.asks for one in unread), sum(one.spent_usd for one in unread)

        retried = {"rate_limit": 1}
        await play(plan, says, recorder, 0)
        one_episode = {OWN: (3, 0, 0.75, {}), OTHER: (3, 1, 1.0, retried)}
        assert told() == one_episode
        assert sums() == (6, 1.75)
        await recorder.seal()
        assert told() == one_episode
        assert sums() == (6, 1.75)
        # Of the second, two asks of each are on record.
        await play(plan, says, recorder, 1, most_asks=4)
        in_play = {OWN: (5, 0, 1.25, {}), OTHER: (5, 2, 1.5, {"rate_limit": 2})}
        assert told() == in_play
        assert sums() == (10, 2.75)

    in_progress(plan, look)
