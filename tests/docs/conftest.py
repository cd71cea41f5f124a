"""What the modules share that execute what the docs say: the run of the documented command."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest
from documented_commands import SMALLER

from examples import Opened, blocks, opening_once


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder in which the documented command played `runs/quickstart`, whichever worker began it.

    Its Ray runs elsewhere already: the run directory is the command's nevertheless.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "quickstart"
    with folder.with_suffix(".lock").open("a+") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            begun = folder.with_suffix(".begun")
            begun.mkdir(exist_ok=True)
            words = [sys.executable, "-m", "mirror_ray", "run", "sweeps/quickstart.yaml", *SMALLER]
            env = {**os.environ, **request.getfixturevalue("ray_env")}
            subprocess.run(words, cwd=begun, env=env, check=True, timeout=300)
            begun.rename(folder)
    return folder


@pytest.fixture(scope="module")
def played(quickstart: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of it, next to the files that the pages name."""
    folder = tmp_path_factory.mktemp("reader") / "folder"
    shutil.copytree(quickstart, folder)
    write_named_files(folder)
    return folder


@pytest.fixture
def named_files(tmp_path: Path) -> Path:
    """A folder that has nothing but the files that the pages name."""
    write_named_files(tmp_path)
    return tmp_path


def write_named_files(folder: Path) -> None:
    """Blocks of YAML whose first line names a file, as a reader would write them."""
    for block in blocks("yaml"):
        if named := re.match(r"# (\w+\.yaml)\b", block.text):
            (folder / named[1]).write_text(block.text)


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    with opening_once() as found:
        yield found


@pytest.fixture
def reader(
    played: Path, opened: Opened, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The working directory of somebody who follows the docs, keys set."""
    opens = opened.for_query(request.node.callspec.params["example"].text)
    monkeypatch.setattr("mirror_ray.cli.sql.open_run", opens)
    monkeypatch.chdir(played)
    monkeypatch.setenv("PWD", str(played))
    for name in ("OPENAI_API_KEY", "HOUSE_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.setenv(name, "not-a-key-of-anybody")
    return played
