"""A run directory goes on under the edition of a family's protocol that it began with."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.errors import RunDirError
from mirror_ray.identity import EpisodeSpec
from mirror_ray.records.rundir import read_manifest
from mirror_ray.replay.rescore import rescore
from mirror_ray.sweep.editions import KEY, editions_in, editions_of, editions_of_cells
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.tasks import FAMILIES
from mirror_ray.types import Reply, Request
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says

LATEST = FAMILIES["selfid"].edition


def walks_on(_: Request) -> Reply:
    return says("w", "gray")


def of_before_editions(out: Path) -> None:
    path = out / "manifest.json"
    manifest = json.loads(path.read_text())
    for run in manifest["runs"]:
        del run[KEY]
    path.write_text(json.dumps(manifest))


def editions(specs: Any) -> set[int | None]:
    return {spec.cell.edition for spec in specs}


def test_a_new_run_is_of_the_latest_and_says_so(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "run")
    assert editions(plan.episodes) == {None}
    assert editions_of_cells(plan.cells) == {"selfid": LATEST}
    record_run(plan, walks_on)
    out = str(tmp_path / "run")
    assert read_manifest(out)["runs"][0][KEY] == {"selfid": LATEST}
    assert editions_of(out)["selfid"] == LATEST


def test_a_directory_of_before_goes_on_as_it_began_with_the_same_ids(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "run", conditions=("E1", "E2"))
    record_run(plan, walks_on)
    of_before_editions(tmp_path / "run")
    again = plan_for(tmp_path / "run", conditions=("E1", "E2"))
    assert editions(again.episodes) == {1}
    assert [spec.episode_id for spec in again.episodes] == [
        spec.episode_id for spec in plan.episodes
    ]
    out = str(tmp_path / "run")
    recorded: dict[str, EpisodeSpec] = recorded_episodes(out, read_manifest(out))
    assert editions(recorded.values()) == {1}
    assert editions_of_cells(again.cells) == {"selfid": 1}


def test_a_run_of_the_first_edition_is_read_anew_without_loss(tmp_path: Path) -> None:
    stage = {"conditions": ("E4", "E5"), "max_steps": 12}
    record_run(plan_for(tmp_path / "run", **stage), lambda _: says("w"))
    of_before_editions(tmp_path / "run")
    plan, out = plan_for(tmp_path / "run", **stage), str(tmp_path / "first")
    warned = []

    def walks(request: Request) -> Reply:
        warned.append("blocked by a wall" in request.user)
        return says("w")

    record_run(replace(plan, sweep=replace(plan.sweep, out=out)), walks)
    assert any(warned)
    found = rescore(out, dry_run=True)
    assert (found.episodes, found.changed, found.left) == (len(plan.episodes), 0, ())
    # Under the latest edition other words would be asked, wherever something else was in the way.
    of_latest = json.loads((tmp_path / "first" / "manifest.json").read_text())
    of_latest["runs"][0][KEY] = {"selfid": LATEST}
    (tmp_path / "first" / "manifest.json").write_text(json.dumps(of_latest))
    assert {one.why for one in rescore(out, dry_run=True).left} == {"other words"}


@pytest.mark.parametrize("said", [{"selfid": LATEST + 1}, {"selfid": 0}, {"selfid": "2"}, [2], 7])
def test_an_unknown_edition_is_refused(said: Any, tmp_path: Path) -> None:
    with pytest.raises(RunDirError, match="editions"):
        editions_in(str(tmp_path), {"runs": [{KEY: said}]})


def test_where_there_is_no_run_the_latest_counts(tmp_path: Path) -> None:
    assert editions_of(str(tmp_path / "nowhere")) == {}
    assert editions_in("somewhere", {"runs": []}) == {}
    (tmp_path / "manifest.json").write_text("{")
    assert editions_of(str(tmp_path)) == {}


def test_behind_a_fault_of_the_storage_there_may_be_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> str:
        raise OSError("timed out")

    monkeypatch.setattr("mirror_ray.records.rundir.read_text", fails)
    with pytest.raises(RunDirError):
        editions_of(str(tmp_path))


def test_a_sweep_for_such_a_directory_is_loaded_under_its_edition(tmp_path: Path) -> None:
    record_run(plan_for(tmp_path / "run"), walks_on)
    of_before_editions(tmp_path / "run")
    other = load_plan(str(tmp_path / "run.yaml"), out=str(tmp_path / "elsewhere"))
    assert editions(other.episodes) == {None}
