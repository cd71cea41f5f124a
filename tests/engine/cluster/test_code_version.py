"""Which code a machine runs: what makes two of them differ, and what does not."""

import sys
from pathlib import Path

import pytest

from mirror_ray.engine.cluster.code_version import ABSENT, code_differences, code_here


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """A `sim_assets` of the test's own, found before the real one."""
    folder = tmp_path / "sim_assets"
    folder.mkdir()
    (folder / "__init__.py").write_text("one = 1\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "sim_assets", raising=False)
    return folder


def test_every_part_is_known_here():
    assert ABSENT not in code_here().values()
    assert code_differences(code_here(), code_here()) == []


def test_changed_source_is_named(package):
    before = code_here()
    (package / "__init__.py").write_text("one = 2\n")
    (told,) = code_differences(before, code_here())
    assert told.startswith("source of sim_assets ")


def test_a_file_that_moved_is_a_change(package):
    (package / "a.xml").write_text("<a/>")
    before = code_here()
    (package / "a.xml").rename(package / "b.xml")
    assert code_differences(before, code_here())


def test_compiled_files_are_none(package):
    before = code_here()
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "one.pyc").write_bytes(b"0")
    assert code_differences(before, code_here()) == []


def test_what_is_missing_there_is_said():
    ours = {"python": "3.11.7", "ray": "2.60.0"}
    assert code_differences({"python": "3.11.7"}, ours) == [f"ray {ABSENT} there, 2.60.0 here"]
