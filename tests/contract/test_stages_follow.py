"""Stages that follow from others are planned from rows, played in one run, and resumed."""

from collections import Counter
from io import StringIO

import pytest
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.planned_episodes import PLANNED_NAME
from mirror_ray.sweep.earlier import with_stages_that_follow
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.sweep.stages import presume
from support.shard_rows import rows_of

pytestmark = pytest.mark.thorough("sweep/test_read_anew.py and families/, stage by stage")

SIZE = ["models=[scripted/ornate,scripted/careless]", "stages.0.seeds=6"]


def load(out):
    return load_plan("sweeps/textmirror.yaml", SIZE, str(out))


@pytest.fixture(scope="module")
def played(tmp_path_factory, ray_session):
    out = tmp_path_factory.mktemp("run") / "out"
    console = Console(file=StringIO())
    return out, play_plan(load(out), console=console, plain=True), console.file.getvalue()


def test_each_stage_has_what_the_one_before_came_to(played):
    out, summary, told = played
    rows = rows_of(out, "episodes")
    counts = Counter(row["condition"] for row in rows)
    kept = Counter(row["author"] for row in rows if row["kept"])
    # Two editors revise every story that was kept; each author reads its own, by either.
    assert counts["story"] == 12
    assert kept["scripted/ornate"] == 6 > kept["scripted/careless"] > 0
    assert counts["revision"] == counts["recognition"] == 2 * sum(kept.values())
    assert counts["authorship"] == sum(kept.values())
    assert (summary.episodes_done, summary.exit_code) == (len(rows), 0)
    assert summary.steps == summary.episodes_planned == len(rows)
    assert "Stage 2 of 3, textmirror revision" in told


def test_a_reader_finds_what_is_foreign_to_it(played):
    out, _, _ = played
    found = [
        row["correct"]
        for row in rows_of(out, "episodes")
        if row["condition"] == "recognition"
        and (row["author"], row["editor"]) == ("scripted/ornate", "scripted/careless")
    ]
    assert found == [True] * 6


def test_every_row_tells_whose_reply_it_was_given(played):
    out, _, _ = played
    rows = {row["episode_id"]: row for row in rows_of(out, "episodes")}
    for row in rows.values():
        if row["condition"] == "recognition":
            revision = rows[row["parent_id"]]
            assert (revision["condition"], revision["model"]) == ("revision", row["editor"])
            assert row["sentences"][row["position"] - 1] == revision["revised_sentence"]
            assert rows[revision["parent_id"]]["model"] == row["author"]


def test_a_finished_run_plays_nothing_again(played):
    out, first, _ = played
    summary = play_plan(load(out), console=Console(file=StringIO()), plain=True)
    assert (summary.steps, summary.episodes_resumed) == (0, first.episodes_planned)
    assert summary.exit_code == 0


def test_the_plan_of_a_run_is_found_again_from_its_rows(played):
    out, summary, _ = played
    ids = set(recorded_episodes(str(out), read_manifest(str(out))))
    assert ids == {row["episode_id"] for row in rows_of(out, "episodes")}
    assert not (out / PLANNED_NAME).exists()
    assert len(with_stages_that_follow(load(out)).episodes) == summary.episodes_planned


def test_before_it_is_played_a_plan_presumes_that_all_goes_well(tmp_path):
    plan = load(tmp_path / "out")
    assert (len(plan.episodes), plan.begun) == (12, 1)
    counts = Counter(spec.cell.condition for spec in presume(plan).episodes)
    assert counts == {"story": 12, "revision": 24, "recognition": 24, "authorship": 12}
