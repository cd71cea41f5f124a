"""Pictures from files are sent as they are, or refused with the file's name."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from mirror_ray.core.errors import RenderError
from mirror_ray.world.photo import view_of_file
from mirror_ray.world.renderer import Renderer

RGB = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "card.png"
    Image.fromarray(RGB).save(path)
    return path


def test_pixels_are_the_files(renderer: Renderer, file: Path) -> None:
    view = view_of_file(str(file))
    assert (view.width_px, view.height_px) == (6, 4)
    np.testing.assert_array_equal(renderer.draw(view).rgb, RGB)


def test_another_file_in_its_place_is_refused(renderer: Renderer, file: Path) -> None:
    view = view_of_file(str(file))
    Image.fromarray(255 - RGB).save(file)
    with pytest.raises(RenderError, match=r"card\.png has changed since the run was planned"):
        renderer.draw(view)


def test_a_lost_file_is_named(renderer: Renderer, file: Path) -> None:
    view = replace(view_of_file(str(file)), path=str(file.with_name("gone.png")))
    with pytest.raises(RenderError, match=r"gone\.png cannot be read"):
        renderer.draw(view)


def test_what_is_no_picture_is_refused(file: Path) -> None:
    file.write_text("words")
    with pytest.raises(RenderError, match=r"card\.png is not a whole picture"):
        view_of_file(str(file))


def test_half_a_picture_is_refused(renderer: Renderer, file: Path) -> None:
    photograph = file.with_name("half.jpg")
    Image.fromarray(np.tile(RGB, (32, 32, 1))).save(photograph)
    photograph.write_bytes(photograph.read_bytes()[:2_000])
    with pytest.raises(RenderError, match=r"half\.jpg is not a whole picture"):
        renderer.draw(view_of_file(str(photograph)))


@pytest.mark.parametrize(
    ("orientation", "upright"),
    [(1, RGB), (2, RGB[:, ::-1]), (3, RGB[::-1, ::-1]), (6, np.rot90(RGB, -1)), (8, np.rot90(RGB))],
)
def test_a_photograph_is_shown_upright(
    renderer: Renderer, file: Path, orientation: int, upright: np.ndarray
) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    Image.fromarray(RGB).save(file, exif=exif)
    view = view_of_file(str(file))
    assert (view.height_px, view.width_px) == upright.shape[:2]
    np.testing.assert_array_equal(renderer.draw(view).rgb, upright)
