"""No command imports what it does not use: what a person waits for is mostly imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.planned_episodes import write_planned
from support.recorded_run import plan_for, record_run

NEVER = (
    *("ray", "litellm", "openai", "omegaconf", "aiohttp", "scipy", "inspect_ai", "gymnasium"),
    "pandas",
)
PICTURES = ("mujoco", "OpenGL", "PIL", "mirror_ray.agents.registry")
FIGURES = ("vl_convert",)
ROWS = ("numpy", "duckdb", "pyarrow")
OTHER_FAMILIES = ("mirror_ray.families.metacog.family", "mirror_ray.families.contingency.family")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("lean") / "run"
    record_run(plan_for(out, runs=1), lambda _: Reply("no JSON"))
    return out


def loaded_by(*words: str) -> set[str]:
    """The modules that a command imports, in a process of its own."""
    code = (
        "import sys; from mirror_ray.cli import main\n"
        "try: main()\n"
        "finally: print('\\nMODULES', *sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    modules = set(done.stderr.rpartition("MODULES")[2].split())
    assert "mirror_ray.cli" in modules, done.stderr
    return modules


def test_help_imports_the_parser_alone() -> None:
    others = ("rich", "pydantic", "yaml", "sqlite3", "asyncio", "importlib.metadata")
    assert not loaded_by("--help") & {*NEVER, *PICTURES, *FIGURES, *ROWS, *others}


def test_a_plan_draws_and_reads_no_rows() -> None:
    # It draws in a fork, which is possible only until MuJoCo is loaded.
    others = ("duckdb", "mujoco", "OpenGL.GL", *OTHER_FAMILIES)
    assert not loaded_by("plan", "quickstart") & {*NEVER, *FIGURES, *others}


def test_status_reads_rows_and_draws_nothing(run: Path) -> None:
    modules = loaded_by("status", str(run))
    assert "mirror_ray.families.selfid.family" in modules
    assert not modules & {*NEVER, *PICTURES, *FIGURES, *OTHER_FAMILIES}


def test_status_of_a_written_plan_reads_no_sweep_and_loads_no_family(tmp_path: Path) -> None:
    out, plan = tmp_path / "run", plan_for(tmp_path / "run", runs=1)
    record_run(plan, lambda _: Reply("no JSON"))
    write_planned(out, read_manifest(str(out))["sweep_sha"], plan.episodes)
    modules = loaded_by("status", str(out))
    assert "duckdb" in modules
    others = ("pydantic", "mirror_ray.families.selfid.family", *OTHER_FAMILIES)
    assert not modules & {*NEVER, *PICTURES, *FIGURES, *others}


def test_sql_loads_no_family(run: Path) -> None:
    modules = loaded_by("sql", str(run), "from metric.selfid")
    assert "duckdb" in modules
    others = ("pydantic", "mirror_ray.families.selfid.family", *OTHER_FAMILIES)
    assert not modules & {*NEVER, *PICTURES, *FIGURES, *others}


@pytest.mark.thorough("status and plan, above")
def test_a_report_loads_the_families_that_it_shows(run: Path) -> None:
    pytest.importorskip("vl_convert")
    modules = loaded_by("report", str(run))
    assert "mirror_ray.families.selfid.family" in modules
    assert not modules & {*NEVER, *OTHER_FAMILIES}
