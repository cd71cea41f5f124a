"""What a run records of its lock, and what the locks are."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from mirror_ray.records import environment
from mirror_ray.records.environment import lock_facts

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "mirror_ray" / "locks"


def test_a_package_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    before = lock_facts()
    (pinned,) = re.findall(r"^ray==(\S+)", (LOCKS / "runtime.lock").read_text(), re.MULTILINE)

    def other(name: str) -> str:
        return "0.0.1" if name == "ray" else version(name)

    monkeypatch.setattr(environment, "version", other)
    facts = lock_facts()
    assert facts["sha256"] == before["sha256"]
    assert facts["differs"].keys() - before["differs"].keys() <= {"ray"}
    assert facts["differs"]["ray"] == {"locked": [pinned], "installed": "0.0.1"}


def test_there_is_a_lock_of_each_extra_with_hashes_and_without_an_index() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    names = {"runtime", "dev", "build", "installer"} | set(
        project["project"]["optional-dependencies"]
    )
    assert {path.stem for path in LOCKS.glob("*.lock")} == names
    for path in LOCKS.glob("*.lock"):
        text = path.read_text()
        assert "://" not in text
        pins = re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]
        assert pins
        assert all(
            re.match(r"[a-z0-9.-]+==\S+ ", pin) and "--hash=sha256:" in pin for pin in pins
        ), path


def test_the_locks_have_what_the_project_declares() -> None:
    """Else `make lock` was forgotten after a change of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    runtime = _locked("runtime")
    parts = project["project"]["optional-dependencies"] | {
        "dev": project["dependency-groups"]["dev"]
    }
    for name, declared in {"runtime": project["project"]["dependencies"], **parts}.items():
        wanted = {
            re.split(r"[^A-Za-z0-9._-]", one)[0].lower().replace("_", "-") for one in declared
        }
        assert wanted <= runtime | _locked(name), name


def _locked(name: str) -> set[str]:
    return set(re.findall(r"^([^\s=]+)==", (LOCKS / f"{name}.lock").read_text(), re.MULTILINE))
