"""The canary compares a new run with a sealed one, item by item, and says so by its exit code."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mirror_ray.cli import canary, main
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import NONSENSE, says


def sealed(folder: Path, runs: int) -> Path:
    """A sealed run of so many scenes in which the agent names the right color."""
    record(plan_for(folder / "out", runs=runs, max_steps=2), right=runs)
    assert main(["seal", str(folder / "out"), "--key", str(folder / "key.pem")]) == 0
    return folder / "out" / "seal.json"


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of six scenes."""
    return sealed(tmp_path_factory.mktemp("six"), 6)


@pytest.fixture(scope="module")
def large_baseline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of twelve scenes."""
    return sealed(tmp_path_factory.mktemp("twelve"), 12)


def record(plan: Any, *, right: int, is_readable: bool = True) -> None:
    colors: dict[str, str] = {}
    for number, spec in enumerate(plan.episodes):
        from mirror_ray.families.selfid.scenes import sample_scene

        color = sample_scene(spec).ego.color
        wrong = ("red" if color != "red" else "blue") if is_readable else ""
        colors[spec.episode_id] = color if number < right else wrong

    def answers(request: Any) -> Any:
        color = colors[request.episode_id]
        return says("done", color, selected_cube=color) if color else NONSENSE

    record_run(plan, answers)


def play_with(monkeypatch: pytest.MonkeyPatch, right: int, *, is_readable: bool = True) -> None:
    def play(plan: Any, **_: object) -> SimpleNamespace:
        record(plan, right=right, is_readable=is_readable)
        return SimpleNamespace(exit_code=0)

    monkeypatch.setattr(canary, "play", play)


def words(baseline: Path) -> list[str]:
    sweep = baseline.parent.parent / "out.yaml"
    return ["canary", str(sweep), "--baseline", str(baseline), "--json"]


@pytest.mark.parametrize("worse", [0, 3])
def test_few_items_cannot_tell(baseline, monkeypatch, capsys, tmp_path, worse):
    play_with(monkeypatch, 6 - worse)
    capsys.readouterr()
    assert main([*words(baseline), "--out", str(tmp_path / "now")]) == 5
    (found,) = json.loads(capsys.readouterr().out)["models"]
    assert (found["n"], found["worse"], found["better"]) == (6, worse, 0)


def test_a_fall_has_exit_code_1(large_baseline, monkeypatch):
    play_with(monkeypatch, 2)
    assert main(words(large_baseline)) == 1


def test_nothing_is_concluded_if_most_replies_are_unread(
    large_baseline, tmp_path, monkeypatch, capsys
):
    command = words(large_baseline)
    play_with(monkeypatch, 0, is_readable=False)
    capsys.readouterr()
    assert main([*command[:-1], "--out", str(tmp_path / "now")]) == 5
    assert "too few read" in " ".join(capsys.readouterr().out.split())
    play_with(monkeypatch, 4, is_readable=False)
    assert main([*command, "--out", str(tmp_path / "json")]) == 5
    (found,) = json.loads(capsys.readouterr().out)["models"]
    assert (found["now"], found["p"], found["has_fallen"]) == (None, None, False)
    assert found["read_now"][0] < found["read_now"][1] / 2


def test_an_altered_baseline_is_refused(baseline, tmp_path, monkeypatch, capsys):
    play_with(monkeypatch, 6)
    altered = shutil.copytree(baseline.parent, tmp_path / "altered")
    shard = next((altered / "episodes").rglob("*.parquet"))
    shard.write_bytes(shard.read_bytes() + b"\0")
    sweep = str(baseline.parent.parent / "out.yaml")
    assert main(["canary", sweep, "--baseline", str(altered / "seal.json")]) == 2
    assert "differs" in capsys.readouterr().err
