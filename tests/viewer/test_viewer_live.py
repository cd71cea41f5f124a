"""A run read while it is written: nothing counts twice, nothing is lost, damage costs itself."""

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.core.types import Attempt, Reply, Request
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_log import RunLog
from mirror_ray.records.storage import home_of
from mirror_ray.sweep.plan import Plan
from mirror_ray.viewer import live_state
from mirror_ray.viewer.live_journal import JournalRead
from mirror_ray.viewer.live_page import live_html
from mirror_ray.viewer.live_shards import ShardsRead
from mirror_ray.viewer.live_state import LiveReader, LiveState
from sim_assets.colors import COLOR_NAMES
from support.recorded_run import Says, plan_for
from support.run_in_progress import in_progress, play, with_verdicts

HOSTILE = "<script>window.harm=1</script>"
SINCE = "2026-01-01T18:31:00+00:00"
REFUSED = Attempt("2026-01-01T00:00:00+00:00", 0.1, "rate_limit", HOSTILE, None)


def says(request: Request) -> Reply:
    """Ends nothing: an episode has four asks; the first was refused twice."""
    refused = (REFUSED, REFUSED) if request.ask_index == 1 else ()
    return Reply("no JSON", cost_usd=0.25, failed_attempts=refused, attempts=1 + len(refused))


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setattr(live_state, "_LEAST_GAP_S", 0.0)
    monkeypatch.setattr(live_state, "_IDLE_SHARE", 0)
    return plan_for(tmp_path / "out", runs=4)


def planned(reader: LiveReader) -> LiveState:
    """The state once the plan has been read, on its thread."""
    for _ in range(600):
        state = reader.state()
        if all(one.planned for one in state.models) and state.models:
            return state
        sleep(0.05)
    raise AssertionError("the plan was not read")


def test_counts_are_the_same_before_and_after_sealing(plan: Plan) -> None:
    async def look(recorder: Recorder) -> None:
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        assert reader.state().latest == ()
        await play(plan, says, recorder, 0)
        await play(plan, says, recorder, 1)
        await play(plan, says, recorder, 2, most_asks=2)
        call = PendingCall(plan.episodes[2].episode_id, 3, "one", plan.cells[0].cell_id, 1.0)
        await recorder.begin([call])
        before = planned(reader)
        await recorder.seal()
        after = reader.state()
        for state in (before, after):
            (model,) = state.models
            assert (model.planned, model.done, model.failed) == (4, 2, 0)
            n_asks = sum(row["n_asks"] for row in state.latest)
            assert model.asks == n_asks + 2
            assert model.retries == {"rate_limit": 6}
            assert model.spent_usd == 0.25 * model.asks
            # Of each first ask, what its refused attempts cost is not known.
            assert model.n_unpriced == 3
            assert (state.n_waiting, state.note) == (1, None)
            assert state.status.state == "running"
        assert [row["is_sealed"] for row in before.latest] == [False, False]
        assert [row["is_sealed"] for row in after.latest] == [True, True]
        html = live_html(HOSTILE, after, {})
        assert "<script>window" not in html
        assert "2 of 4" in html
        assert "at least $" in html

    in_progress(plan, look)
    reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
    assert planned(reader).status.state == "stopped"


def test_what_the_run_says_of_itself_is_shown(plan: Plan) -> None:
    """Who has it, since when, and which servers do not answer."""

    async def look(recorder: Recorder) -> None:
        await play(plan, says, recorder, 0)
        down = {"one": {"unreachable": "connection", "since": SINCE, "waiting": 3}}
        log = RunLog(home_of(plan.sweep.out))
        log.note("started", started_at=SINCE, pid=4711, host="head")
        log.note("progress", started_at=SINCE, pid=4711, host="head", models=down)
        state = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out)).state()
        html = live_html("out", state, {})
        assert "since 2026-01-01 18:31 UTC, process 4711 on head" in html
        assert "Unreachable: one (connection, since 2026-01-01 18:31 UTC, 3 waiting)." in html

    in_progress(plan, look)
    ended = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out)).state()
    assert ended.status.state != "running"
    assert "Unreachable" not in live_html("out", ended, {})


def names(is_right: bool) -> Says:
    """Who ends at once, and names the own colour or another."""

    def says(request: Request) -> Reply:
        own, *others = sorted(COLOR_NAMES, key=lambda name: name != request.truth["ego_color"])
        cube = own if is_right else others[0]
        decided = {
            **dict.fromkeys(("view-description", "reasoning", "summary"), "none"),
            **{"action": "done", "selected_cube": cube, "identification": cube},
        }
        return Reply(json.dumps(decided), cost_usd=0.25)

    return says


def test_an_episode_sealed_while_it_is_looked_at_has_its_verdict_at_the_next_look(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(recorder: Recorder) -> None:
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        await play(plan, names(is_right=True), recorder, 0)
        with_verdicts(reader)
        await play(plan, names(is_right=False), recorder, 1)
        loop, read = asyncio.get_running_loop(), JournalRead.rows

        def sealed_first(journal: JournalRead, keys: Any) -> Any:
            asyncio.run_coroutine_threadsafe(recorder.seal(), loop).result()
            return read(journal, keys)

        monkeypatch.setattr(JournalRead, "rows", sealed_first)
        for expected in ([None, "right"], ["wrong", "right"]):
            state = await asyncio.to_thread(reader.state)
            assert [row["verdict"] for row in state.latest] == expected

    in_progress(plan, look)


def test_the_latest_are_right_or_wrong_before_they_are_sealed_and_after(plan: Plan) -> None:
    async def look(recorder: Recorder) -> None:
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        await play(plan, names(is_right=True), recorder, 0)
        with_verdicts(reader)
        await play(plan, names(is_right=False), recorder, 1)
        # The views are there by now: who looks next is told.
        before = reader.state()
        await recorder.seal()
        again = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        for state in (before, reader.state(), with_verdicts(again)):
            said = {row["episode_id"]: (row["verdict"], row["score"]) for row in state.latest}
            first, second = (said[plan.episodes[number].episode_id] for number in (0, 1))
            assert (first, second) == (("right", 1.0), ("wrong", 0.0))
        html = live_html("out", before, {})
        assert re.findall(r'class="verdict (\w+)">.{3,30}</i> (\w+)<', html) == [
            ("wrong", "wrong"),
            ("right", "right"),
        ]
        assert html.index("<th>result</th>") < html.index("<th>ended</th>")

    in_progress(plan, look)


def test_a_score_is_worked_out_once_from_its_own_shard(plan: Plan, monkeypatch) -> None:
    monkeypatch.setattr(live_state, "_LATEST", 2)
    read: list[tuple[str, int]] = []
    rows = ShardsRead.rows

    def counted(shards: ShardsRead, shard: str, episode_ids: Sequence[str]) -> object:
        read.append((Path(shard).name, len(episode_ids)))
        return rows(shards, shard, episode_ids)

    monkeypatch.setattr(ShardsRead, "rows", counted)

    async def look(recorder: Recorder) -> None:
        for number in range(4):
            await play(plan, names(is_right=True), recorder, number)
            await recorder.seal()
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        for _ in range(3):
            with_verdicts(reader)
        assert len(read) == len(set(read)) == 2
        assert {n for _, n in read} == {1}

    in_progress(plan, look)


def test_a_shard_whose_rows_cannot_be_read_leaves_its_own_unscored(plan: Plan) -> None:
    async def look(recorder: Recorder) -> None:
        for number in range(2):
            await play(plan, names(is_right=True), recorder, number)
            await recorder.seal()
        first, _ = sorted((Path(plan.sweep.out) / "steps").rglob("*.parquet"))
        steps = pq.read_table(first, partitioning=None)
        place = steps.column_names.index("selected_cube")
        pq.write_table(steps.set_column(place, "selected_cube", pa.array([7])), first)
        state = with_verdicts(LiveReader(plan.sweep.out, read_manifest(plan.sweep.out)))
        assert sorted(row["verdict"] for row in state.latest) == ["right", "unscored"]

    in_progress(plan, look)


def test_damage_costs_itself_alone(plan: Plan) -> None:
    async def look(recorder: Recorder) -> None:
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        await play(plan, says, recorder, 0)
        await recorder.seal()
        (shard,) = (Path(plan.sweep.out) / "episodes").rglob("*.parquet")
        shard.with_name("part-000099.parquet").write_bytes(b"PAR1" + b"\xff" * 100 + b"PAR1")
        await play(plan, says, recorder, 1)
        state = reader.state()
        assert sum(one.done for one in state.models) == 2
        assert "part-000099" in (state.note or "")

    in_progress(plan, look)
    (Path(plan.sweep.out) / JOURNAL_NAME).write_bytes(b"no journal\x1b[31m" * 500)
    state = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out)).state()
    assert sum(one.done for one in state.models) >= 1
    assert state.note
    assert state.note.isprintable()


def test_nothing_is_read_again_for_further_readers(plan: Plan, monkeypatch) -> None:
    monkeypatch.setattr(live_state, "_LEAST_GAP_S", 3600.0)

    async def look(recorder: Recorder) -> None:
        reader = LiveReader(plan.sweep.out, read_manifest(plan.sweep.out))
        state = reader.state()
        await play(plan, says, recorder, 0)
        assert all(reader.state() is state for _ in range(50))

    in_progress(plan, look)


def test_a_page_expects_one_end_and_says_a_pace_of_a_run_that_plays_alone(plan: Plan) -> None:
    async def look(recorder: Recorder) -> None:
        await play(plan, says, recorder, 0)
        state = planned(LiveReader(plan.sweep.out, read_manifest(plan.sweep.out)))
        ends_at = datetime.now(UTC) + timedelta(seconds=90.4)
        running = replace(state.status, state="running", ends_at=ends_at)
        moving = replace(state, status=running, left_s=500.0, asks_per_s=3.0, episodes_per_min=2.0)
        html = live_html("out", moving, {})
        assert re.findall(r"about (\S+) left", html) == ["0:01:30"]
        assert "3.0 a second" in html
        # Where the run has not said it yet.
        html = live_html("out", replace(moving, status=replace(running, ends_at=None)), {})
        assert re.findall(r"about (\S+) left", html) == ["0:08:20"]
        ended = replace(moving, status=replace(running, state="finished"), left_s=None)
        assert "a second" not in live_html("out", ended, {})

    in_progress(plan, look)
