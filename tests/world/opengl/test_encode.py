from hashlib import sha256
from io import BytesIO

import numpy as np
import pytest
from PIL import Image as PillowImage

from mirror_ray.world.opengl.encode import encode


@pytest.fixture(params=[(480, 640), (1, 1), (7, 3)])
def rgb(request: pytest.FixtureRequest) -> np.ndarray:
    height_px, width_px = request.param
    return np.random.default_rng(0).integers(0, 256, (height_px, width_px, 3), np.uint8)


def test_png_keeps_every_pixel(rgb: np.ndarray) -> None:
    image = encode(rgb, "png")
    np.testing.assert_array_equal(np.asarray(PillowImage.open(BytesIO(image.data))), rgb)
    assert (image.height_px, image.width_px) == rgb.shape[:2]
    assert image.encoding == "png"


def test_the_hash_is_of_the_pixels_whatever_the_encoding(rgb: np.ndarray) -> None:
    expected = sha256(rgb.tobytes()).hexdigest()
    assert encode(rgb, "png").rgb_sha == encode(rgb, "jpeg").rgb_sha == expected
    assert encode(np.asfortranarray(rgb), "png").rgb_sha == expected


def test_jpeg_keeps_flat_colours_nearly() -> None:
    flat = np.full((48, 64, 3), (200, 40, 90), np.uint8)
    image = encode(flat, "jpeg")
    decoded = PillowImage.open(BytesIO(image.data))
    assert decoded.format == "JPEG"
    assert np.abs(np.asarray(decoded).astype(int) - flat).max() <= 3
