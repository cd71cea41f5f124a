"""Pictures that come from a file, sent as they are seen.

Knows how a file becomes pixels and that it must still be the one that was planned; does not know
what it shows. A camera's note on which way is up is followed: without it a photograph may lie on
its side, or left be right.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import ExifTags, ImageOps
from PIL import Image as Pillow

from mirror_ray.errors import RenderError
from mirror_ray.types import Encoding, Frame

_LYING = frozenset({5, 6, 7, 8})
"""Orientations (EXIF) in which a file's rows are the picture's columns."""


@dataclass(frozen=True, slots=True)
class FileView:
    """A picture in a file.

    Args:
        path: where it lies, on every host that draws.
        sha256: hex digest of the file's bytes.
        width_px, height_px: its size, upright.
        encoding: how it is sent.
    """

    path: str
    sha256: str
    width_px: int
    height_px: int
    encoding: Encoding


def view_of_file(path: str, encoding: Encoding = "png") -> FileView:
    """A view of the file as it is now.

    Raises:
        RenderError: it cannot be read as a picture.
    """
    data = _bytes_of(path)
    with _picture(path, data) as picture:
        size = picture.size
        if picture.getexif().get(ExifTags.Base.Orientation) in _LYING:
            size = size[::-1]
    return FileView(path, sha256(data).hexdigest(), *size, encoding)


class FilePainter:
    """Reads `FileView`s."""

    def draw(self, view: FileView) -> Frame:
        """The file's pixels; it has no facts.

        Raises:
            RenderError: it cannot be read, or is another file than was planned.
        """
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
        """Holds nothing of OpenGL's."""


def _bytes_of(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise RenderError(
            f"{path} cannot be read: {error.strerror}; it must lie there on every host that draws"
        ) from error


@contextmanager
def _picture(path: str, data: bytes) -> Iterator[Pillow.Image]:
    """The picture in a file, whose pixels are read only when they are asked for."""
    try:
        with Pillow.open(BytesIO(data)) as picture:
            yield picture
    # Decoders raise SyntaxError and ValueError too, of broken pictures.
    except (OSError, SyntaxError, ValueError, Pillow.DecompressionBombError) as error:
        raise RenderError(f"{path} is not a whole picture: {error}") from error
