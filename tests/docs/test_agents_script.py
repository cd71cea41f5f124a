"""AGENTS.md's script: executed as it stands, it plans, approves, runs, queries and reports."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WITHIN_S = 280


@pytest.fixture(scope="module")
def script() -> str:
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^```bash\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(found)


def _executed(script: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """In a shell whose `mirror-ray` and `python3` are those of these tests."""
    programs = folder / "bin"
    programs.mkdir()
    for name, words in (("mirror-ray", " -m mirror_ray"), ("python3", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
        program.chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, **env},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )


@pytest.mark.thorough("docs/test_examples.py, command by command")
def test_the_script_plans_approves_runs_queries_and_reports(
    script: str, tmp_path: Path, ray_env: dict[str, str]
) -> None:
    done = _executed(script, tmp_path, ray_env)
    assert done.returncode == 0, done.stdout + done.stderr

    def told(name: str) -> Any:
        return json.loads((tmp_path / f"{name}.json").read_text())

    assert told("run")["run_dir"] == "runs/small"
    assert told("plan")["episodes"] == 4
    assert told("limits")["limits"]["openai/gpt-5.1"]["concurrency"] == 2
    assert told("state")["budget_usd"] == 1.0
    counts = [(row["condition"], row["state"], row["done"]) for row in told("status")]
    assert counts == [("E1", "finished", 2), ("E2", "finished", 2)]
    assert {(row["condition"], row["n"]) for row in told("tsa")} == {("E1", 2), ("E2", 2)}
    assert "How this was made" in (tmp_path / told("report")["page"]).read_text()
    manifest = json.loads((tmp_path / "runs/small/manifest.json").read_text())
    (change,) = manifest["runs"][0]["changes"]
    assert (change["command"], change["setting"], change["value"]) == ("limits", "concurrency", 2)
    assert change["at"][:19] in (tmp_path / told("report")["page"]).read_text()


def test_what_costs_more_than_was_agreed_to_is_not_begun(script: str, tmp_path: Path) -> None:
    done = _executed(script.replace("agreed_usd=1.00", "agreed_usd=0.01"), tmp_path, {})
    assert done.returncode == 1
    assert "AssertionError" in done.stderr
    assert (tmp_path / "plan.json").is_file()
    assert not (tmp_path / "run.json").exists()
    assert not (tmp_path / "runs").exists()


def test_a_stand_in_that_does_not_start_is_not_waited_for(script: str, tmp_path: Path) -> None:
    done = _executed(script.replace("seeds: 1,", "seeds: none,"), tmp_path, {})
    assert done.returncode == 1
    assert re.search(r"small\.yaml:\d+:\d+: stages\.0\.seeds", done.stderr)
    assert not (tmp_path / "plan.json").exists()
