"""One frame of each condition, for the first screen of a report."""

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from mirror_ray.analysis import warehouse
from mirror_ray.core.errors import RenderError
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.first_frames import first_frames
from mirror_ray.world.renderer import Renderer
from support.viewed_run import viewed_run


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frames") / "out"
    viewed_run(folder, conditions=("E1", "E4"), runs=2)
    return folder


def test_each_condition_has_the_first_frame_of_one_episode(out: Path) -> None:
    frames = first_frames({str(out): read_manifest(str(out))}, Renderer)
    assert [one.caption for one in frames] == ["selfid E1", "selfid E4"]
    assert all(one.meaning for one in frames)
    pictures = [b64decode(one.data.removeprefix("data:image/jpeg;base64,")) for one in frames]
    assert all(Image.open(BytesIO(one)).format == "JPEG" for one in pictures)
    # The look-alikes of E4 are in the same room.
    assert pictures[0] != pictures[1]


def test_no_view_of_the_run_is_opened(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(warehouse, "open_run", lambda *given, **_: opened.append(given))
    assert first_frames({str(out): read_manifest(str(out))}, Renderer)
    assert not opened


def test_where_nothing_can_be_rendered_there_are_none(out: Path) -> None:
    def broken() -> Renderer:
        raise RenderError("GL", "none", "one", "install one")

    assert first_frames({str(out): read_manifest(str(out))}, broken) == ()
