"""A run whose replies were read by other readers is brought up to date by `rescore`."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.reading import MetacogReading
from mirror_ray.replay.rescore import rescore
from support.staged_run import play_stages, staged_plan

_QUESTIONS = import_module("mirror_ray.families.metacog.play_questions")
_ECOSYSTEM = import_module("mirror_ray.families.metacog.play_ecosystem")
_READ = _QUESTIONS.read
KNOWN = {"family": "metacog", "conditions": ["exp1"], "seeds": 16, "channel": ["wagering"]}
PREMISES = {"family": "metacog", "conditions": ["exp6b"], "seeds": 8}


def read_by_guessing(
    channel: str, reply: Reply, question: str, key: Key | None, *, prompt: str = ""
) -> MetacogReading:
    """An earlier reader: every answer is that of a person who says nothing but 7."""
    found: MetacogReading = _READ(channel, reply, question, key, prompt=prompt)
    return replace(found, answer="7") if found.answer is not None else found


def accuracy(out: str, matching: str) -> float | None:
    with open_run(out, variables={"matching": matching}) as connection:
        found: duckdb.DuckDBPyConnection = connection.execute(
            "select avg(accuracy) from episode.metacog where experiment = 'exp1'"
        )
        (value,) = found.fetchone() or (None,)
    return None if value is None else float(value)


def test_new_readers_reach_recorded_replies_and_every_matching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = staged_plan(tmp_path / "run", ["scripted/calibrated"], KNOWN, PREMISES)
    with monkeypatch.context() as earlier:
        earlier.setattr(_QUESTIONS, "read", read_by_guessing)
        earlier.setattr(_ECOSYSTEM, "premise_reply", lambda *_: "execution")
        play_stages(plan)
    now = staged_plan(tmp_path / "now", ["scripted/calibrated"], KNOWN, PREMISES)
    play_stages(now)
    out = plan.sweep.out
    assert accuracy(out, "grammar") == accuracy(out, "published") == 0

    found = rescore(out)

    changed = {change.column: change.rows for change in found.changes if change.kind == "steps"}
    assert changed["answer"] == 16
    assert changed["premise_reply"] == changed["premise_endorsed"] == 4
    assert (found.episodes, found.asks, found.changed, found.left) == (24, 24, 20, ())
    for matching in ("grammar", "published", "judge"):
        assert accuracy(out, matching) == accuracy(now.sweep.out, matching), matching
    assert (accuracy(out, "grammar") or 0) > 0.3
    assert rescore(out, dry_run=True).changed == 0
