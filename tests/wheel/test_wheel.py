"""The wheel is the product: built, installed into a clean environment, run from elsewhere."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from mirror_ray.records.environment import digest_of, source_digest

pytestmark = pytest.mark.thorough(
    "api/test_imports.py, and every test plays the editable install of the same files"
)

ROOT = Path(__file__).parents[2]
PACKAGES = ("mirror_ray", "sim_assets")
LINKED = ("analysis", "sweeps")
"""Folders of the checkout that the package has under its own name."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)]
    built = subprocess.run([*command, str(ROOT)], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`mirror-ray` in an environment that has the wheel, and this one's dependencies only."""
    environment = tmp_path_factory.mktemp("clean")
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True
    )
    # A bare path entry: the dependencies are found, this checkout's editable install is not.
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    origin = subprocess.check_output(
        [python, "-c", "import mirror_ray; print(mirror_ray.__file__)"], text=True, cwd=environment
    )
    assert origin.startswith(str(site))
    return environment / "bin" / "mirror-ray"


def _data_files() -> Iterator[str]:
    for folder, place in _folders():
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".lock", ".sql", ".xml", ".yaml", ".md", ".html", ".css", ".js"}:
                yield f"{place}/{path.relative_to(ROOT / folder)}"


def _folders() -> Iterator[tuple[str, str]]:
    """Folder of the checkout, and the package it is in the wheel."""
    yield from zip(PACKAGES, PACKAGES, strict=True)
    yield from ((name, f"mirror_ray/{name}") for name in LINKED)


def test_all_data_files_are_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert not set(_data_files()) - set(names)
    assert "mirror_ray/sweeps/quickstart.yaml" in set(_data_files())
    assert len(names) == len(set(names))
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == set(PACKAGES)


def test_the_wheel_is_the_same_program_as_the_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    assert digest_of([tmp_path / name for name in PACKAGES]) == source_digest()


def test_a_shipped_sweep_runs_from_another_directory(command: Path, tmp_path: Path) -> None:
    overrides = ["stages.0.conditions=[E1]", "stages.0.seeds=1", "stages.0.runs=1"]
    ran = subprocess.run(
        [
            *[command, "run", "sweeps/quickstart.yaml", *overrides],
            *["models=[scripted/observer]", "--out", "here", "--json"],
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["episodes_done"] == 1
    assert list((tmp_path / "here").glob("episodes/family=selfid/*.parquet"))


def test_uv_installs_it_as_a_tool_that_plays_quickstart(wheel: Path, tmp_path: Path) -> None:
    """In an empty directory. Asks the package index, as every setup does; no other test does."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if uv is None:
        pytest.skip("no uv here: pip installed this environment")
    env = {**os.environ, "PYTHONPATH": "", "UV_TOOL_DIR": str(tmp_path / "tools")}
    env["UV_TOOL_BIN_DIR"] = str(tmp_path / "bin")
    locks = [ROOT / "mirror_ray/locks" / f"{name}.lock" for name in ("runtime", "bedrock")]
    constraints = [word for lock in locks for word in ("--constraints", str(lock))]
    install = [uv, "tool", "install", "--python", sys.executable, *constraints]
    installed = subprocess.run(
        [*install, str(wheel)], env=env, capture_output=True, text=True, check=False
    )
    if installed.returncode and "Failed to fetch" in installed.stderr:
        pytest.skip("no package index answers here")
    assert installed.returncode == 0, installed.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    command = [tmp_path / "bin" / "mirror-ray", "run", "quickstart", "--json"]
    ran = subprocess.run(command, cwd=empty, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["episodes_done"] == 90
    assert list((empty / "runs/quickstart").glob("episodes/family=selfid/*.parquet"))


def test_every_import_is_a_declared_dependency(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
    declared = {
        _normalised(re.split(r"[^A-Za-z0-9._-]", line.removeprefix("Requires-Dist: "))[0])
        for line in lines
        if line.startswith("Requires-Dist: ")
    }
    distributions = packages_distributions()
    undeclared = {
        module
        for module in _imported_modules()
        if module not in sys.stdlib_module_names
        and module not in PACKAGES
        and not set(map(_normalised, distributions[module])) & declared
    }
    assert not undeclared


def _normalised(distribution: str) -> str:
    return distribution.lower().replace("_", "-")


def _imported_modules() -> set[str]:
    modules = set()
    for folder, _ in _folders():
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import):
                    modules |= {name.name.partition(".")[0] for name in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    modules.add(node.module.partition(".")[0])
    return modules
