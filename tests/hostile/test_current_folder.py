"""Modules planted in the current folder: no command, and no process that one starts, runs them."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says

PROJECT = Path(__file__).parents[2]
STANDARD = ("types", "random", "json", "asyncio", "site", "sitecustomize", "usercustomize", "os")
OURS = ("mirror_ray", "sim_assets", "analysis", "sweeps")

pytestmark = pytest.mark.timeout(600)


def dependencies() -> set[str]:
    """The modules of every package that pyproject.toml names, as they are imported."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    named = [*project["dependencies"], *(one for extra in extras for one in extra)]
    names = {one.split(">")[0].split("~")[0].split("[")[0].strip() for one in named}
    imported = {"pyyaml": "yaml", "pillow": "PIL", "json-repair": "json_repair"}
    return {imported.get(name, name.replace("-", "_")) for name in names}


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A run directory of a stranger, with a sweep and a module of each name."""
    folder = tmp_path / "theirs"
    record_run(plan_for(folder), lambda _: says("w"))
    for name in (*STANDARD, *OURS, *dependencies()):
        (folder / f"{name}.py").write_text(
            f"open({str(tmp_path / 'OWNED')!r}, 'a').write({name!r} + '\\n')\n"
            "raise RuntimeError('planted')\n"
        )
    shutil.copy(tmp_path / "theirs.yaml", folder / "sweep.yaml")
    return folder


def command(folder: Path, *words: str) -> int:
    """Run in `folder`, as an installed `mirror-ray` would; returns the exit code."""
    script = Path(sys.executable).with_name("mirror-ray")
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [script, *words], cwd=folder, env=environ, capture_output=True, check=False, timeout=300
    )
    owned = folder.parent / "OWNED"
    assert not owned.exists(), f"{words}: {owned.read_text()}"
    return done.returncode


def test_a_run_and_the_reading_of_one_import_nothing_from_there(planted: Path) -> None:
    out = str(planted.parent / "played")
    assert command(planted, "run", "sweep.yaml", "stages.0.runs=1", "--out", out) == 0
    assert command(planted, "status", ".") == 0


@pytest.mark.thorough("run and status")
def test_no_command_imports_anything_from_there(planted: Path) -> None:
    out = planted.parent
    episode = "00"
    for words in (
        ("plan", "sweep.yaml"),
        ("doctor",),
        ("doctor", "sweep.yaml"),
        ("doctor", "--renderers", "1"),
        ("models",),
        ("sql", ".", "select 1"),
        ("verify", "."),
        ("rescore", ".", "--dry-run"),
        ("report", ".", "--out", f"{out}/report"),
        ("view", ".", "--static", f"{out}/pages"),
        ("replay", ".", episode, "--out", f"{out}/replay"),
        ("compare", ".", "."),
        ("export", ".", "--to", "huggingface", "--out", f"{out}/exported"),
        ("export", ".", "--to", "rerun", "--out", f"{out}/recordings"),
        ("audit", ".", "--n", "1"),
        ("check-family", "contingency"),
        ("run", "sweep.yaml", "--detach", "--json", "--out", f"{out}/detached"),
    ):
        command(planted, *words)
