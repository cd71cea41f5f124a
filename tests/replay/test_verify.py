"""Drawing again: the same frames, another renderer's, or something else than was recorded."""

import json
import os
import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from mirror_ray.engine.rollout import DrawnPicture
from mirror_ray.records.environment import cpu_model, versions
from mirror_ray.replay.verify import gap_px, sample
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer
from support.manifests import edit_manifest
from support.recorded_run import plan_for, record_run
from support.shard_rows import rows_of

TURN_LEFT = json.dumps(
    {
        "view-description": "",
        "reasoning": "",
        "action": "a",
        "summary": "",
        "selected_cube": "none",
        "identification": "unknown",
    }
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with real frames: half a turn of the head in E1 and in E4."""
    out = tmp_path_factory.mktemp("run") / "out"
    renderer = Renderer()

    async def draw(view) -> DrawnPicture:
        frame = renderer.draw(view)
        return DrawnPicture(encode(frame.rgb, view.encoding), frame.facts)

    gl = {name: getattr(renderer.gl, name) for name in ("backend", "vendor", "renderer", "version")}
    about = {"versions": versions(), "cpu": cpu_model(), "gl": gl}
    plan = plan_for(out, conditions=("E1", "E4"), runs=2, max_steps=6)
    record_run(plan, lambda _: Reply(TURN_LEFT), draw=draw, about=about)
    renderer.close()
    return out


@pytest.fixture
def copied(recorded: Path, tmp_path: Path) -> Path:
    """The run, to be tampered with."""
    for path in recorded.rglob("*"):
        if path.is_file():
            copy = tmp_path / "out" / path.relative_to(recorded)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    return tmp_path / "out"


def tamper(out: Path, column: str, change: Any) -> str:
    """Change one column of the third ask of some episode; returns the episode's id."""
    path = min((out / "steps").rglob("*.parquet"))
    table = pq.read_table(path, partitioning=None)
    rows = table.to_pylist()
    row = next(row for row in rows if row["ask"] == 3)
    row[column] = change(row[column])
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    return row["episode_id"]


def verified(out: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, Any]:
    code = main(["verify", str(out), "--json", *options])
    return code, json.loads(capsys.readouterr().out)


def test_a_run_is_what_it_says(recorded, capsys):
    code, found = verified(recorded, capsys, "--all")
    assert (code, found["verdict"], found["differences"]) == (0, "same frames", [])
    assert sum(one["frames"] for one in found["episodes"]) == len(rows_of(recorded, "steps")) == 24


def test_other_hash_on_the_same_machine_is_not_excused(copied, capsys):
    episode_id = tamper(copied, "frame_sha", lambda sha: sha[::-1])
    code, found = verified(copied, capsys)
    assert (code, found["verdict"]) == (1, "different pixels")
    (bad,) = (one for one in found["episodes"] if one["others"])
    assert (bad["episode_id"], bad["others"]) == (
        episode_id,
        [{"ask": 3, "gap_px": 0.0, "large_gap_px": 0.0}],
    )


@pytest.mark.parametrize(
    ("tolerance_px", "code", "verdict"),
    [("40", 0, "different renderer"), ("39", 1, "different scene")],
)
def test_other_counts_are_the_same_scene_within_the_tolerance(
    copied, capsys, tolerance_px, code, verdict
):
    tamper(copied, "frame_sha", lambda sha: sha[::-1])
    tamper(copied, "mirror_px", lambda px: px + 40)
    other = {"renderer": "another"}
    edit_manifest(copied, lambda manifest: manifest["runs"][0]["gl"].update(other))
    got, found = verified(copied, capsys, "--tolerance-px", tolerance_px)
    assert (got, found["verdict"]) == (code, verdict)
    assert [one["what"] for one in found["differences"]] == ["OpenGL renderer"]


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        # An edge that runs through the centres of a column of pixels, on either side.
        (lambda px: round(px * 0.96), "different renderer"),
        (lambda px: round(px * 0.94), "different scene"),
    ],
)
def test_a_column_of_pixels_is_not_another_scene(copied, capsys, change, verdict):
    tamper(copied, "frame_sha", lambda sha: sha[::-1])
    tamper(copied, "mirror_px", change)
    other = {"renderer": "another"}
    edit_manifest(copied, lambda manifest: manifest["runs"][0]["gl"].update(other))
    _, found = verified(copied, capsys)
    (gap_px,) = (one["others"][0]["gap_px"] for one in found["episodes"] if one["others"])
    assert gap_px > 100
    assert found["verdict"] == verdict


def test_it_is_the_hosts_that_drew_which_are_compared(copied, capsys):
    manifest = json.loads((copied / "manifest.json").read_text())
    run = manifest["runs"][0]
    here = {"cpu": run["cpu"], "gl": run["gl"]}
    another = {"cpu": "another", "gl": {**run["gl"], "vendor": "another"}}
    run["hosts"] = {"a": here, "b": another}
    run["gl"] = None
    edit_manifest(copied, lambda manifest: manifest.update(runs=[run]))
    code, found = verified(copied, capsys)
    assert (code, found["verdict"]) == (0, "same frames")
    assert [one["what"] for one in found["differences"]] == ["processor", "OpenGL vendor"]


def test_other_reply_plays_another_episode(copied, capsys):
    tamper(copied, "reply", lambda text: text.replace('"action": "a"', '"action": "d"'))
    code, found = verified(copied, capsys)
    assert (code, found["verdict"]) == (1, "different episode")
    (bad,) = (one for one in found["episodes"] if one["departure"])
    # The fourth ask tells of the third's action.
    assert bad["departure"].startswith("other words: ask 4")


def test_another_rasteriser_draws_the_same_scenes(recorded):
    """Mesa's reference rasteriser, in a process of its own: other pixels, equal counts."""
    done = subprocess.run(
        [sys.executable, "-m", "mirror_ray", "verify", str(recorded), "--json", "--episodes", "1"],
        env=os.environ
        | {"GALLIUM_DRIVER": "softpipe", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)
    differing = {one["what"]: one["here"] for one in found["differences"]}
    if differing.get("OpenGL renderer") != "softpipe":
        pytest.skip("OpenGL here is not Mesa's, or has one rasteriser only")
    assert (done.returncode, found["verdict"]) == (0, "different renderer")


def test_sample_takes_conditions_in_turn_and_depends_on_the_seed(tmp_path):
    out = tmp_path / "out"
    plan = plan_for(out, conditions=("E1", "E2", "E3"), runs=4, max_steps=1)
    record_run(plan, lambda _: Reply(TURN_LEFT))
    specs = {spec.episode_id: spec for spec in plan.episodes}
    chosen = sample(str(out), specs, episodes=6, seed=0)
    assert [specs[one].cell.condition for one in chosen] == ["E1", "E2", "E3"] * 2
    assert chosen == sample(str(out), specs, episodes=6, seed=0)
    assert chosen != sample(str(out), specs, episodes=6, seed=1)
    assert set(sample(str(out), specs, episodes=None, seed=0)) == set(specs)


@pytest.mark.parametrize("option", ["--episodes", "--tolerance-px"])
def test_negative_numbers_are_refused(recorded, capsys, option):
    assert main(["verify", str(recorded), option, "-1"]) == 2
    assert option in capsys.readouterr().err


@pytest.mark.parametrize(
    ("recorded_facts", "drawn", "gap"),
    [
        ({"a": 5, "b": [1, 9]}, {"a": 7, "b": [4, 9], "c": 1}, 3.0),
        ({"views": [{"a": 1}, {"a": 4}]}, {"views": [{"a": 1}, {"a": 2}]}, 2.0),
        ({"a": [1, 2]}, {"a": [1]}, inf),
        ({"a": None}, {"a": 3}, inf),
        ({"said": "x"}, {"said": "y"}, inf),
        ({}, {"a": 1}, inf),
    ],
)
def test_gap(recorded_facts, drawn, gap):
    assert gap_px(recorded_facts, drawn) == gap


def test_a_share_of_a_count_is_no_gap():
    recorded_facts, drawn = {"glass": 1000, "bodies": [100, 10]}, {"glass": 950, "bodies": [96, 9]}
    assert gap_px(recorded_facts, drawn, share=0.05) == 1.0
    assert gap_px(recorded_facts, drawn, share=0.1) == 0.0


counts = st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 999)), min_size=1)


@given(counts)
def test_no_gap_to_itself(facts):
    assert gap_px(facts, facts) == 0.0
