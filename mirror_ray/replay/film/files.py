"""Writes films as files: GIF and MP4, page by page, and a strip as PNG. Each is complete or
absent."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PIL import Image

from mirror_ray.core.errors import SweepError
from mirror_ray.replay.episode import DrawnStep, RecordedEpisode
from mirror_ray.replay.film.page import Pages
from mirror_ray.replay.film.strip import Strip
from mirror_ray.replay.playback import HistoryMismatchError

PAGE_S, LAST_PAGE_S = 1.5, 4.0
FRAMES_PER_S = 10
"""The rate of an MP4; at a lower rate many players show nothing before the second frame."""

_H264_OPTIONS = {"crf": "20", "preset": "veryfast", "tune": "stillimage"}


@dataclass(frozen=True, slots=True)
class Film:
    """The result of writing an episode's films.

    Args:
        paths: one file per format; empty if nothing could be shown.
        drawn_steps: number of requests shown.
        mismatch: why the episode is not shown to its end; None if it is.
    """

    paths: tuple[Path, ...]
    drawn_steps: int
    mismatch: str | None


class _Writer(Protocol):
    def __init__(self, path: Path, recording: RecordedEpisode) -> None: ...

    def add(self, drawn_step: DrawnStep, page: Image.Image) -> None:
        """Add the next drawn step, with its page."""

    def close(self) -> None:
        """Complete the file."""


def write_film(
    recording: RecordedEpisode,
    drawn_steps: Iterable[DrawnStep],
    folder: Path,
    formats: Sequence[str],
) -> Film:
    """Write an episode's film, named by its id, into a folder in each of the `FILM_FORMATS` chosen.
    Raise SweepError for MP4 without the extra, or if the folder cannot be written. Raise
    RenderError, and leave no file, if a view cannot be drawn."""
    if "mp4" in formats:
        _require_video()
    name = recording.spec.episode_id
    parts = {folder / f"{name}.{kind}": folder / f".{name}.{kind}.tmp" for kind in formats}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            return _written(recording, drawn_steps, parts, formats)
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
    recording: RecordedEpisode,
    drawn_steps: Iterable[DrawnStep],
    parts: Mapping[Path, Path],
    formats: Sequence[str],
) -> Film:
    writers = [
        FILM_FORMATS[kind](part, recording)
        for kind, part in zip(formats, parts.values(), strict=True)
    ]
    pages = Pages(recording)
    shown, mismatch = 0, None
    try:
        for drawn_step in drawn_steps:
            page = pages.page(drawn_step)
            for writer in writers:
                writer.add(drawn_step, page)
            shown += 1
    except HistoryMismatchError as reason:
        mismatch = str(reason)
    if shown == 0:
        return Film((), 0, mismatch)
    for writer in writers:
        writer.close()
    for path, part in parts.items():
        part.replace(path)
    return Film(tuple(parts), shown, mismatch)


class _Gif:
    def __init__(self, path: Path, _: RecordedEpisode) -> None:
        self._path = path
        self._pages: list[Image.Image] = []
        self._last: list[bool] = []

    def add(self, drawn_step: DrawnStep, page: Image.Image) -> None:
        # Quantized at once, which takes a third of the memory. Dithering would spoil flat colours.
        self._pages.append(page.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))
        self._last.append(drawn_step.is_last)

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
    def __init__(self, path: Path, _: RecordedEpisode) -> None:
        import av  # noqa: PLC0415 - an extra

        self._av: Any = av
        self._file = av.open(str(path), "w", format="mp4")
        self._stream: Any = None

    def add(self, drawn_step: DrawnStep, page: Image.Image) -> None:
        if self._stream is None:
            self._stream = self._file.add_stream(
                "libx264", rate=FRAMES_PER_S, options=_H264_OPTIONS
            )
            self._stream.width, self._stream.height = page.size
            # The only pixel format that every player supports.
            self._stream.pix_fmt = "yuv420p"
        frame = self._av.VideoFrame.from_image(page).reformat(format="yuv420p")
        for _ in range(round(FRAMES_PER_S * _seconds(drawn_step.is_last))):
            frame.pts = None
            self._file.mux(self._stream.encode(frame))

    def close(self) -> None:
        self._file.mux(self._stream.encode())
        self._file.close()


class _Png:
    def __init__(self, path: Path, recording: RecordedEpisode) -> None:
        self._path = path
        self._strip = Strip(recording)

    def add(self, drawn_step: DrawnStep, _: Image.Image) -> None:
        self._strip.add(drawn_step)

    def close(self) -> None:
        self._strip.picture().save(self._path, "PNG")


FILM_FORMATS: Mapping[str, type[_Writer]] = {"gif": _Gif, "mp4": _Mp4, "png": _Png}
"""The class that writes each format, whose name is also the file's extension."""


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
