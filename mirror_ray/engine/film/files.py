"""Films as files: GIF and MP4, page by page, and a strip as PNG; each whole or absent.

Knows formats and how long a page stands; does not know what is on it. MP4 needs the extra
``replay``; GIF and PNG need nothing more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from PIL import Image

from mirror_ray.engine.film.page import Pages
from mirror_ray.engine.film.strip import Strip
from mirror_ray.engine.recall import DepartureError
from mirror_ray.engine.replay import Recording, Shot
from mirror_ray.errors import SweepError

PAGE_S, LAST_PAGE_S = 1.5, 4.0
FRAMES_PER_S = 10
"""Of an MP4: many players show nothing of a slower one before its second frame."""

_H264_OPTIONS = {"crf": "20", "preset": "veryfast", "tune": "stillimage"}


@dataclass(frozen=True, slots=True)
class Film:
    """What was written.

    Args:
        paths: one file a format; none where nothing could be shown.
        shots: asks shown.
        departure: why the episode is not shown to its end; None where it is.
    """

    paths: tuple[Path, ...]
    shots: int
    departure: str | None


class _Writer(Protocol):
    def __init__(self, path: Path, recording: Recording) -> None: ...

    def add(self, shot: Shot, page: Image.Image) -> None:
        """The next shot, with its page."""
        ...

    def close(self) -> None:
        """Complete the file."""
        ...


def write_film(
    recording: Recording, shots: Iterable[Shot], folder: Path, formats: Sequence[str]
) -> Film:
    """Writes an episode's film into `folder`, which is made if need be, named by its id.

    Args:
        formats: some of `FORMATS`, each once.

    Raises:
        SweepError: an MP4 without the extra, or a folder that cannot be written.
        RenderError: a view cannot be drawn; no file is left then.
    """
    if "mp4" in formats:
        _require_video()
    name = recording.spec.episode_id
    parts = {folder / f"{name}.{kind}": folder / f".{name}.{kind}.tmp" for kind in formats}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            return _written(recording, shots, parts, formats)
        finally:
            for part in parts.values():
                part.unlink(missing_ok=True)
    except OSError as error:
        raise SweepError(
            "command line: --out",
            f"{folder}: {error.strerror or error}",
            "a folder this user may write, with free space",
            "give another --out",
        ) from error


def _written(
    recording: Recording, shots: Iterable[Shot], parts: Mapping[Path, Path], formats: Sequence[str]
) -> Film:
    writers = [
        FORMATS[kind](part, recording) for kind, part in zip(formats, parts.values(), strict=True)
    ]
    pages = Pages(recording)
    shown, departure = 0, None
    try:
        for shot in shots:
            page = pages.page(shot)
            for writer in writers:
                writer.add(shot, page)
            shown += 1
    except DepartureError as reason:
        departure = str(reason)
    if shown == 0:
        return Film((), 0, departure)
    for writer in writers:
        writer.close()
    for path, part in parts.items():
        part.replace(path)
    return Film(tuple(parts), shown, departure)


class _Gif:
    def __init__(self, path: Path, _: Recording) -> None:
        self._path = path
        self._pages: list[Image.Image] = []
        self._last: list[bool] = []

    def add(self, shot: Shot, page: Image.Image) -> None:
        # Reduced at once to a third of the memory; flat colours look worse dithered.
        self._pages.append(page.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))
        self._last.append(shot.is_last)

    def close(self) -> None:
        first, *rest = self._pages
        first.save(
            self._path,
            "GIF",
            save_all=True,
            append_images=rest,
            duration=[round(1000 * _seconds(is_last)) for is_last in self._last],
            loop=0,
            disposal=1,
        )


class _Mp4:
    def __init__(self, path: Path, _: Recording) -> None:
        import av  # noqa: PLC0415 - an extra

        self._av: Any = av
        self._file = av.open(str(path), "w", format="mp4")
        self._stream: Any = None

    def add(self, shot: Shot, page: Image.Image) -> None:
        if self._stream is None:
            self._stream = self._file.add_stream(
                "libx264", rate=FRAMES_PER_S, options=_H264_OPTIONS
            )
            self._stream.width, self._stream.height = page.size
            # The one layout of pixels that every player takes.
            self._stream.pix_fmt = "yuv420p"
        frame = self._av.VideoFrame.from_image(page).reformat(format="yuv420p")
        for _ in range(round(FRAMES_PER_S * _seconds(shot.is_last))):
            frame.pts = None
            self._file.mux(self._stream.encode(frame))

    def close(self) -> None:
        self._file.mux(self._stream.encode())
        self._file.close()


class _Png:
    def __init__(self, path: Path, recording: Recording) -> None:
        self._path = path
        self._strip = Strip(recording)

    def add(self, shot: Shot, _: Image.Image) -> None:
        self._strip.add(shot)

    def close(self) -> None:
        self._strip.picture().save(self._path, "PNG")


FORMATS: Mapping[str, type[_Writer]] = MappingProxyType({"gif": _Gif, "mp4": _Mp4, "png": _Png})
"""Format, which is also its files' ending → who writes it."""


def _seconds(is_last: bool) -> float:
    return LAST_PAGE_S if is_last else PAGE_S


def _require_video() -> None:
    try:
        import av  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise SweepError(
            "command line: --format",
            "mp4, without the package that encodes it",
            "gif and png, or mp4 with the extra 'replay' installed",
            'pip install "mirror-ray[replay]"',
        ) from error
