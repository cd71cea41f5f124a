"""The version of each family's protocol: in the identity, in the manifest, required on resume."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Reply, Request
from mirror_ray.records.manifest import read_manifest
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.recorded import recorded_episodes
from support.manifests import edit_manifest
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says


def walks_on(_: Request) -> Reply:
    return says("w", "gray")


@pytest.fixture
def out(tmp_path: Path) -> str:
    record_run(plan_for(tmp_path / "run"), walks_on)
    return str(tmp_path / "run")


def say(out: str, **changes: Any) -> None:
    def change(manifest: dict[str, Any]) -> None:
        for run in manifest["runs"]:
            del run[KEY]
            run.update(changes)

    edit_manifest(out, change)


def test_a_run_names_the_protocol_of_each_family(out: str) -> None:
    assert read_manifest(out)["runs"][0][KEY] == {"selfid": 1}


def test_a_protocol_is_part_of_the_identity() -> None:
    first = Cell("selfid", "E1", (("subject", "m"),), 0.0, "paper")
    second = replace(first, protocol=2)
    assert first.cell_id != second.cell_id
    assert EpisodeSpec(first, 0, 0).episode_id != EpisodeSpec(second, 0, 0).episode_id
    assert protocols_of_cells([second]) == {"selfid": 2}


def test_a_directory_of_the_same_protocols_is_read(out: str) -> None:
    assert recorded_episodes(out, read_manifest(out))
    say(out, **{KEY: {"selfid": 1, "other": 7}})
    assert recorded_episodes(out, read_manifest(out))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "written before 0.1.0"),
        ({KEY: 7}, "written before 0.1.0"),
        ({KEY: {"selfid": 2}}, "protocol 2 of selfid"),
        ({KEY: {"selfid": ["\x1b[31m"] * 400}}, "protocol"),
    ],
)
def test_others_are_refused(out: str, changes: dict[str, Any], words: str) -> None:
    say(out, **changes)
    with pytest.raises(RunDirError, match=words) as refused:
        recorded_episodes(out, read_manifest(out))
    assert "new run directory" in str(refused.value)
    assert str(refused.value).isprintable() or "\n" in str(refused.value)
    assert len(str(refused.value)) < 1_000


def test_a_sweep_does_not_continue_another_protocol(out: str, tmp_path: Path) -> None:
    say(out, **{KEY: {"selfid": 2}})
    with pytest.raises(RunDirError, match="protocol 2 of selfid"):
        record_run(plan_for(tmp_path / "run"), walks_on)
