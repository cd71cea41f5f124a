"""Rescoring: the rows are those of a run with the present readers, and nothing is asked again."""

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.cli import main
from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply
from mirror_ray.families.selfid import play, prompts
from mirror_ray.records.rundir import RunDir
from mirror_ray.replay.rescore import rescore
from support.recorded_run import plan_for, record_run
from support.rescored_replies import (
    PLAYED,
    clean,
    latest,
    messy,
    paid,
    read_shyly,
    read_strictly,
    said,
    shards,
)
from support.shard_rows import TIMINGS, assert_same_rows, rows_of, without

PAID = {"reply", "reasoning", "cost_usd", "tokens_in", "latency_s", "attempts", "started_at"}


@pytest.mark.parametrize("says", [clean, messy])
def test_same_program_changes_nothing_and_writes_nothing(tmp_path, says):
    out = tmp_path / "out"
    record_run(plan_for(out, conditions=("E1", "E3", "E5"), runs=6), says)
    before = shards(out)
    found = rescore(str(out), dry_run=True)
    assert (found.episodes, found.changed, found.changes, found.left) == (18, 0, (), ())
    assert found.asks == len(rows_of(out, "steps"))
    assert shards(out) == before


def test_other_parser_gives_the_rows_of_a_run_with_it(tmp_path, monkeypatch):
    out, anew = tmp_path / "out", tmp_path / "anew"
    record_run(plan_for(out, conditions=("E1", "E4")), clean)
    before = shards(out)
    monkeypatch.setattr(PLAYED, "read_reply", read_shyly)
    record_run(plan_for(anew, conditions=("E1", "E4")), clean)

    rescored = rescore(str(out))

    for kind in ("steps", "episodes"):
        forget = TIMINGS | {"take"} if kind == "episodes" else {"take"}
        assert_same_rows(without(latest(out, kind), forget), without(latest(anew, kind), forget))
        assert {row["take"] for row in latest(out, kind)} == {2}
    assert before.items() <= shards(out).items()
    (identification,) = (one for one in rescored.changes if one.column == "identification")
    # Of the four colours one is "unknown" already.
    assert (identification.rows, rescored.changed, rescored.left) == (18, 6, ())
    assert identification.by_status == {"strict → coerced": 18}
    assert identification.examples[0].after == "unknown"
    assert rescore(str(out), dry_run=True).changed == 0


def test_what_was_paid_for_is_carried_over_bit_by_bit(tmp_path, monkeypatch):
    out = tmp_path / "out"
    record_run(plan_for(out), messy)
    was = {(row["episode_id"], row["ask"]): row for row in rows_of(out, "steps")}
    ended = {row["episode_id"]: row for row in rows_of(out, "episodes")}
    monkeypatch.setattr(PLAYED, "read_reply", read_shyly)
    rescore(str(out))
    changed = [row for row in latest(out, "steps") if row["take"] == 2]
    assert changed
    for row in changed:
        old = was[row["episode_id"], row["ask"]]
        assert {name: row[name] for name in PAID} == {name: old[name] for name in PAID}
    for row in latest(out, "episodes"):
        old = ended[row["episode_id"]]
        assert (row["wall_s"], row["finished_at"]) == (old["wall_s"], old["finished_at"])


def test_replies_that_would_now_be_asked_for_again_stay(tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"
    record_run(plan_for(out, runs=2), lambda request: paid(said(request, action="move forward")))
    before = shards(out)
    monkeypatch.setattr(PLAYED, "read_reply", read_strictly)
    assert main(["rescore", str(out), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(one["why"], one["ask"]) for one in found["left"]] == [("other words", 2)] * 2
    assert found["changed"] == 0
    assert shards(out) == before


def test_a_last_reply_that_would_now_be_asked_for_again_needs_a_provider(tmp_path, monkeypatch):
    out = tmp_path / "out"
    plan = plan_for(out, runs=1, max_steps=1)
    record_run(plan, lambda request: paid(said(request, action="move forward")))
    monkeypatch.setattr(PLAYED, "read_reply", read_strictly)
    assert [(one.why, one.ask) for one in rescore(str(out)).left] == [("asks on", 2)]


def test_replies_that_need_not_have_been_asked_for_again_stay(tmp_path, monkeypatch):
    out = tmp_path / "out"
    with monkeypatch.context() as then:
        then.setattr(PLAYED, "read_reply", read_strictly)
        plan = plan_for(out, runs=1, max_steps=1)
        record_run(plan, lambda request: paid(said(request, action="move forward")))
    (left,) = rescore(str(out)).left
    assert (left.why, left.ask) == ("ends early", 2)


def test_changed_prompt_leaves_every_episode_as_it_is(tmp_path, monkeypatch):
    out = tmp_path / "out"
    record_run(plan_for(out, runs=2), clean)
    before = shards(out)
    other = Texts({**prompts.TEXTS.by_key, "english.task": "Task: look around."})
    monkeypatch.setattr(play, "texts_of", lambda _: other)
    found = rescore(str(out))
    assert [(one.why, one.ask) for one in found.left] == [("other words", 1)] * 2
    assert (found.episodes, shards(out)) == (0, before)


def test_new_column_is_filled_in(tmp_path):
    out = tmp_path / "out"
    today = FAMILIES["selfid"]

    def play_without(spec, rng):
        outcome = yield from today.play(spec, rng)
        steps = tuple({k: v for k, v in row.items() if k != "thought"} for row in outcome.steps)
        return replace(outcome, steps=steps)

    names = [name for name in today.step_columns.names if name != "thought"]
    columns = pa.schema([today.step_columns.field(name) for name in names])
    record_run(
        plan_for(out, runs=1), clean, family=replace(today, step_columns=columns, play=play_without)
    )
    (change,) = rescore(str(out)).changes
    assert (change.kind, change.column, change.rows) == ("steps", "thought", 4)
    newest = max((out / "steps").rglob("*.parquet"))
    assert pq.read_table(newest, partitioning=None)["thought"].to_pylist() == ["I turn"] * 4


def test_episodes_that_the_next_run_plays_again_are_not_read(tmp_path):
    out = tmp_path / "out"
    no_key = Reply("", error_kind="auth", error="no key")
    record_run(plan_for(out, runs=2), lambda _: no_key)
    found = rescore(str(out))
    assert (found.episodes, found.unfinished, found.left) == (0, 2, ())


def test_mistake_of_a_family_is_told_for_its_episode(tmp_path, monkeypatch):
    out = tmp_path / "out"
    record_run(plan_for(out, runs=1), clean)

    def broken(reply, condition, language="en"):
        raise KeyError("colour")

    monkeypatch.setattr(PLAYED, "read_reply", broken)
    (left,) = rescore(str(out)).left
    assert (left.why, left.ask, left.detail) == ("cannot be played", 2, "KeyError: 'colour'")


def test_a_run_that_is_writing_is_left_alone(tmp_path, capsys):
    out = tmp_path / "out"
    plan = plan_for(out, runs=1)
    record_run(plan, clean)
    with RunDir(str(out), plan.sweep.resolved):
        assert main(["rescore", str(out)]) == 2
    assert "in use" in capsys.readouterr().err
    assert rescore(str(out), dry_run=True).episodes == 1


def test_a_run_in_an_object_store_is_read_anew_there(bucket, tmp_path, monkeypatch):
    out = f"{bucket}/run"
    plan = plan_for(tmp_path / "out", runs=1)
    resolved = {**plan.sweep.resolved, "out": out}
    record_run(replace(plan, sweep=replace(plan.sweep, out=out, resolved=resolved)), clean)
    assert rescore(out).changed == 0
    monkeypatch.setattr(PLAYED, "read_reply", read_shyly)
    assert (rescore(out).changed, rescore(out).changed) == (1, 0)


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(RunDirError, match="a run directory"):
        rescore(str(tmp_path))
