"""`import mirror_ray` offers the interface and waits for none of what stands behind it."""

import subprocess
import sys

import pytest

import mirror_ray

HEAVY = (
    *("ray", "duckdb", "mujoco", "litellm", "numpy", "pyarrow", "pyarrow.dataset", "pydantic"),
    "rich",
)


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*(one for one in {HEAVY} if one in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_an_import_loads_nothing_heavy() -> None:
    assert loaded_by("import mirror_ray; dir(mirror_ray)") == set()


def test_neither_reading_nor_playing_loads_ray_here() -> None:
    assert not loaded_by("from mirror_ray import load, run") & {"ray", "litellm", "mujoco"}


def test_what_reads_runs_on_disk_loads_no_arrow_datasets() -> None:
    """Which load pandas, too, where it is installed: half of what a command of SQL takes."""
    assert "pyarrow.dataset" not in loaded_by("from mirror_ray.analysis.warehouse import open_run")


def test_a_family_is_imported_when_it_is_asked_for() -> None:
    code = """
import sys
from mirror_ray.engine.simulator import actor
from mirror_ray.contract.registry import FAMILIES
print(len(FAMILIES), FAMILIES["selfid"].name, "metacog" in FAMILIES)
print(*(f"mirror_ray.families.{one}.family" in sys.modules for one in ("selfid", "metacog")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["8", "selfid", "True", "True", "False"]


def test_what_is_offered_is_there() -> None:
    for name in mirror_ray.__all__:
        assert getattr(mirror_ray, name).__doc__
        assert name in dir(mirror_ray)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        _ = mirror_ray.lode  # type: ignore[attr-defined]
