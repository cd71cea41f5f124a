"""What may lie in a run directory, and what leads out of it."""

import os
from pathlib import Path

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.run_folders import require_enclosed


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    (folder / "steps").mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    return folder


def test_files_and_links_to_its_own_files_are_allowed(out: Path, tmp_path: Path) -> None:
    (out / "copy.json").symlink_to("manifest.json")
    (tmp_path / "by-a-link").symlink_to(out)
    require_enclosed(str(out))
    require_enclosed(str(tmp_path / "by-a-link"))
    require_enclosed(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("target", ["../secret", "/dev/zero", ".", "nowhere", "x.json"])
def test_what_leads_elsewhere_is_named(out: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "secret").write_text("")
    (out / "steps" / "x.json").symlink_to(target)
    with pytest.raises(RunDirError, match=r"steps/x\.json, a link to"):
        require_enclosed(str(out))


def test_a_pipe_is_named(out: Path) -> None:
    os.mkfifo(out / "steps" / "p")
    with pytest.raises(RunDirError, match="steps/p, which is a pipe"):
        require_enclosed(str(out))
