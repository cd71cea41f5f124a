"""The command line as a person meets it: exit codes, messages, and what is left on disk."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mirror_ray.cli import main

SMALL = [
    "models=[scripted/blind]",
    "stages.0.conditions=[E1,E2]",
    "stages.0.seeds=1",
    "stages.0.runs=2",
    "stages.0.max_steps=4",
]


def _run(out: Path, *more: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "mirror_ray", "run", "sweeps/quickstart.yaml", *SMALL]
    return subprocess.run(
        [*command, "--out", str(out), *more],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(env or {})},
    )


def _refused(capsys: pytest.CaptureFixture[str], out: Path, *more: str) -> str:
    """What `run` says of what it does not begin, in this process: one of its own takes two
    seconds to import what it needs."""
    assert main(["run", "sweeps/quickstart.yaml", *SMALL, "--out", str(out), *more]) == 2
    return capsys.readouterr().err


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, ray_env: dict[str, str]) -> Path:
    out = tmp_path_factory.mktemp("cli") / "run"
    ran = _run(out, env=ray_env)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "TSA" in ran.stdout
    assert f"mirror-ray sql {out}" in ran.stdout
    return out


def test_the_same_command_again_plays_nothing_and_says_the_same(
    played: Path, ray_env: dict[str, str]
) -> None:
    shards = sorted(path.name for path in played.rglob("part-*.parquet"))
    again = _run(played, "--json", env=ray_env)
    assert again.returncode == 0, again.stderr
    told = json.loads(again.stdout)
    assert (told["episodes_done"], told["steps"]) == (4, 0)
    assert {row["metric"] for row in told["metrics"]} >= {"tsa", "ttd", "mcr", "mgd", "sc"}
    assert sorted(path.name for path in played.rglob("part-*.parquet")) == shards


def test_the_manifest_says_what_was_withheld_from_whom(played: Path) -> None:
    manifest = json.loads((played / "manifest.json").read_text())
    # An agent gets all that is asked for.
    assert manifest["runs"][0]["withheld"] == {}
    assert manifest["runs"][0]["models"]["scripted/blind"]["sends_temperature"] is True


def test_another_sweep_is_refused_before_anything_starts(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = _refused(capsys, played, "stages.0.temperature=0.9")
    assert "another sweep" in told
    assert "at temperature 0.2)" in told
    assert "--out" in told


def test_status_counts_what_is_planned_and_done(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", str(played), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["condition"], row["planned"], row["done"]) for row in rows] == [
        ("E1", 2, 2),
        ("E2", 2, 2),
    ]
    assert main(["status", str(played)]) == 0
    told = capsys.readouterr().out
    assert "4 of 4 episodes done" in told
    assert "Spent $0.00 of $5.00." in told


def test_sql_answers_and_parameters_reach_the_views(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "select condition, sum(mgd) as seen from episode.selfid group by all order by all"
    assert main(["sql", str(played), query, "--json", "--set", "mirror_px_threshold=0"]) == 0
    # At a threshold of no pixels at all every frame is evidence.
    rows = json.loads(capsys.readouterr().out)
    steps = (
        "select condition, sum(n_steps) as seen from stage.selfid_episodes group by all order by 1"
    )
    assert main(["sql", str(played), steps, "--json"]) == 0
    assert rows == json.loads(capsys.readouterr().out)


def test_a_record_reads_draws_and_shows_as_it_was_played(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shards = {path: path.read_bytes() for path in played.rglob("part-*.parquet")}
    assert main(["rescore", str(played), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["episodes"], told["changed"], told["left"]) == (4, 0, [])
    assert {path: path.read_bytes() for path in played.rglob("part-*.parquet")} == shards
    assert main(["verify", str(played), "--all", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], len(told["episodes"])) == ("same frames", 4)
    episode_id = told["episodes"][0]["episode_id"]
    assert main(["replay", str(played), episode_id, "--out", str(tmp_path)]) == 0
    assert {path.suffix for path in tmp_path.iterdir()} == {".gif", ".png"}


def test_wrong_sql_is_bad_input(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", str(played), "selec 1"]) == 2
    assert "Parser Error" in capsys.readouterr().err


def test_a_mistyped_parameter_is_not_ignored(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sql", str(played), "select 1", "--set", "mirror_px_treshold=9"]) == 2
    assert "mirror_px_threshold" in capsys.readouterr().err


def test_a_missing_key_stops_before_the_directory_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert "OPENAI_API_KEY" in _refused(capsys, tmp_path / "run", "models=[openai/gpt-5.1]")
    assert not (tmp_path / "run").exists()


def test_an_unusable_output_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    told = _refused(capsys, tmp_path / "file" / "run")
    assert str(tmp_path / "file") in told
    assert "--out" in told


def test_no_gl_is_said_with_what_to_install(tmp_path: Path) -> None:
    # Without any EGL driver and any software fallback, as on a bare server.
    broken = {
        "MUJOCO_GL": "egl",
        "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent.json",
        "PYOPENGL_PLATFORM": "egl",
    }
    ran = _run(tmp_path / "run", env=broken)
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert "libegl" in ran.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "sweeps/nothing.yaml"],
        ["run", "sweeps/quickstart.yaml", "stages.0.conditions=[E9]"],
        ["plan", "sweeps/quickstart.yaml", "stages.0.runs=-1"],
        ["status", "/nonexistent"],
        ["sql", "/nonexistent", "select 1"],
    ],
)
def test_bad_input_is_exit_code_2_with_got_allowed_fix(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert all(word in told for word in ("got:", "allowed:", "fix:"))


@pytest.mark.thorough("cli/test_plan.py")
def test_overrides_may_stand_on_both_sides_of_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    head = ["plan", "sweeps/quickstart.yaml", "stages.0.seeds=1"]
    assert main([*head, "--json", "models=[scripted/mute]"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["episodes"] == 1 * 2 * 5
    assert [row["model"] for row in told["models"]] == ["scripted/mute"]


def test_an_unknown_option_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["plan", "sweeps/quickstart.yaml", "--frobnicate"])
    assert caught.value.code == 2
    assert "--frobnicate" in capsys.readouterr().err


def test_doctor_sees_rendering_and_names_keys_without_values(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    assert main(["doctor", "--json"]) == 0
    told = capsys.readouterr().out
    findings = {row["topic"]: row for row in json.loads(told)}
    assert findings["rendering"]["verdict"] == "ok"
    assert findings["OPENAI_API_KEY"]["what"].startswith("set")
    assert "sk-very-secret" not in told
