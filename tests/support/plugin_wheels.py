"""Packages of plug-ins from their wheels, and commands of a program that has them."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def command(
    *words: str, site: Path, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A Python program that imports this package, and those in the folder."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{site}", "COLUMNS": "200"} | (env or {})
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )


def mirror_ray(
    *words: str, site: Path, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A command of mirror-ray there."""
    return command("-m", "mirror_ray", *words, site=site, cwd=cwd, env=env)


def wheels_of(tmp_path_factory: pytest.TempPathFactory, *examples: str) -> list[Path]:
    """The examples' wheels, built from copies."""
    wheels = tmp_path_factory.mktemp("wheels")
    for example in examples:
        copied = copytree(EXAMPLES / example, tmp_path_factory.mktemp("source") / example)
        build = ["-m", "build", "--wheel", "--no-isolation", "-o", str(wheels), str(copied)]
        done = command(*build, site=wheels, cwd=copied)
        assert done.returncode == 0, done.stderr[-2_000:]
    return sorted(wheels.glob("*.whl"))


def site_of(tmp_path_factory: pytest.TempPathFactory, *examples: str) -> Path:
    """A folder of packages with the wheels' contents, as pip puts them there."""
    site, wheels = tmp_path_factory.mktemp("site"), wheels_of(tmp_path_factory, *examples)
    install = ["-m", "pip", "install", "--no-deps", "--no-index", "--target", str(site)]
    done = command(*install, *map(str, wheels), site=site, cwd=site)
    assert done.returncode == 0, done.stderr[-2_000:]
    return site
