"""Pictures from files, sent as a viewer would see them.

A file must still be the planned one. The camera's EXIF orientation is applied; without it a
photograph may lie on its side, or left and right may be swapped."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import ClassVar

import numpy as np
from PIL import ExifTags, ImageOps
from PIL import Image as Pillow

from mirror_ray.core.bounded_files import MOST_PICTURE_BYTES, read_bounded
from mirror_ray.core.errors import RenderError, UnfitError
from mirror_ray.core.types import Encoding, Frame
from mirror_ray.core.untrusted import one_printable_line

MOST_PIXELS = 64_000_000
"""Most pixels of a picture, each of which takes three bytes once decoded; phones take up to 50
million."""
_FORMATS = ("PNG", "JPEG", "MPO", "WEBP", "GIF", "BMP", "TIFF")
"""Other formats are decoded by external programs, or are vector drawings."""
_LYING = frozenset({5, 6, 7, 8})
"""Orientations (EXIF) in which a file's rows are the picture's columns."""


@dataclass(frozen=True, slots=True)
class FileView:
    """A picture in a file.

    Args:
        path: its path, the same on every host that draws.
        sha256: hex digest of the file's bytes.
        width_px, height_px: its size, upright.
        encoding: the format in which it is sent.
    """

    painter: ClassVar[str] = "mirror_ray.world.photo:FilePainter"

    path: str
    sha256: str
    width_px: int
    height_px: int
    encoding: Encoding


def view_of_file(path: str, encoding: Encoding = "png") -> FileView:
    """Return a view of the file as it is now. Raise RenderError if it is not a readable picture."""
    data = _bytes_of(path)
    with _picture(path, data) as picture:
        size = picture.size
        if picture.getexif().get(ExifTags.Base.Orientation) in _LYING:
            size = size[::-1]
        # A JPEG is decoded at an eighth of its size, which is enough to find truncation.
        picture.draft("RGB", (1, 1))
        picture.load()
    return FileView(path, sha256(data).hexdigest(), *size, encoding)


class FilePainter:
    """Reads `FileView`s."""

    def draw(self, view: FileView) -> Frame:
        """Return the file's pixels; there are no facts. Raise RenderError if it cannot be read, or
        is not the planned file."""
        data = _bytes_of(view.path)
        found = sha256(data).hexdigest()
        if found != view.sha256:
            raise RenderError(
                f"{view.path} has changed since the run was planned: its SHA-256 is {found[:12]}…,"
                f" was {view.sha256[:12]}…; put the former file back, or start a new run directory"
            )
        with _picture(view.path, data) as picture:
            upright = ImageOps.exif_transpose(picture).convert("RGB")
        return Frame(np.ascontiguousarray(upright), {})

    def free(self) -> None:
        """Do nothing: it has no OpenGL resources."""


def _bytes_of(path: str) -> bytes:
    try:
        return read_bounded(path, MOST_PICTURE_BYTES)
    except UnfitError as error:
        raise RenderError(
            f"{path} cannot be read",
            error.got,
            f"{error.allowed}, which must lie there on every host that draws",
        ) from error


@contextmanager
def _picture(path: str, data: bytes) -> Iterator[Pillow.Image]:
    """Open the picture in a file; its pixels are read only on access."""
    try:
        with warnings.catch_warnings():
            # Pillow's limit is off: the size is checked below, with a clear message.
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            opened = Pillow.open(BytesIO(data), formats=_FORMATS)
        with opened as picture:
            width_px, height_px = picture.size
            if width_px * height_px > MOST_PIXELS:
                raise ValueError(
                    f"{width_px} × {height_px} pixels, where at most {MOST_PIXELS:,} are allowed"
                )
            yield picture
    # Decoders raise any kind of exception on broken pictures.
    except Exception as error:
        said = one_printable_line(str(error) or type(error).__name__)
        raise RenderError(f"{path} is not a whole picture: {said}") from error
