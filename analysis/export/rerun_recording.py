"""An episode as a Rerun recording (`.rrd`): what the model saw and replied, and where things were.

Rerun's own library writes the file. Timelines: ``ask``, each request; ``step``, of the task.
``frames`` has the pictures, ``evidence`` the columns of pixels, ``world`` the pose and any cubes,
``words`` prompt and reply, and ``read`` what was read in the reply."""

from collections.abc import Mapping, Sequence
from math import cos, radians, sin
from pathlib import Path
from typing import Any, TypeAlias

import rerun as rr
import rerun.blueprint as rrb
from rerun_bindings import flush_and_cleanup_orphaned_recordings

from mirror_ray.analysis.reading import Row
from mirror_ray.contract.columns import COLUMNS

_APPLICATION = "mirror-ray"
_WORDS = ("system", "user", "reply", "reasoning", "error")
_POSE = ("x_m", "y_m", "yaw_deg")
_ROOM_M = (6.0, 6.0, 2.5)
"""Sides and height of the rooms in which scenes have cubes."""
_CUBE_M = 0.3
_HEADING_M = 0.5
_NOT_SAID = ("sweep", "user", "system", "failed_attempts")

Pictures: TypeAlias = Mapping[int, Sequence[tuple[bytes, str]]]
"""Request → its pictures, each with its encoding."""


def write_recording(path: Path, episode: Row, asks: Sequence[Row], pictures: Pictures) -> None:
    """Write the recording of an episode.

    Args:
        episode: a row of ``stage.<family>_episodes``.
        asks: rows of ``shard.<family>_steps``, in their order.

    Raises:
        OSError: the file cannot be written.
    """
    _write(path, episode, asks, pictures)
    # An unused stream keeps threads and megabytes until it is closed.
    flush_and_cleanup_orphaned_recordings()


def _write(path: Path, episode: Row, asks: Sequence[Row], pictures: Pictures) -> None:
    stream = rr.RecordingStream(_APPLICATION, recording_id=episode["episode_id"])
    stream.save(path, default_blueprint=_layout(asks, pictures))
    facts = {key: _plain(value) for key, value in episode.items() if key not in _NOT_SAID}
    known = {key: value for key, value in facts.items() if value is not None}
    stream.send_property("episode", rr.AnyValues(**known))
    _log_scene(stream, episode, asks)
    said_before = None
    way: list[tuple[float, float, float]] = []
    for ask in asks:
        stream.set_time("ask", sequence=ask["ask"])
        stream.set_time("step", sequence=ask["step"])
        # Equal in all requests of an episode, and long: logged once.
        for name in _WORDS:
            if ask[name] is not None and (name != "system" or ask[name] != said_before):
                stream.log(f"words/{name}", rr.TextDocument(ask[name]))
        said_before = ask["system"]
        _log_pictures(stream, pictures.get(ask["ask"], ()))
        _log_pose(stream, ask, way)
        _log_columns(stream, ask)
    stream.flush()
    stream.disconnect()


def _log_scene(stream: rr.RecordingStream, episode: Row, asks: Sequence[Row]) -> None:
    if not any(_has_pose(ask) for ask in asks):
        return
    stream.log("world", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    half = [side / 2 for side in _ROOM_M]
    room = rr.Boxes3D(half_sizes=[half], centers=[(0.0, 0.0, half[2])])
    stream.log("world/room", room, static=True)
    xs, ys, colors = (episode.get(name) or [] for name in ("cube_x_m", "cube_y_m", "cube_colors"))
    if xs and len(xs) == len(ys) == len(colors):
        edge = _CUBE_M / 2
        cubes = rr.Boxes3D(
            half_sizes=[(edge, edge, edge)] * len(xs),
            centers=[(x, y, edge) for x, y in zip(xs, ys, strict=True)],
            labels=colors,
        )
        stream.log("world/cubes", cubes, static=True)


def _log_pictures(stream: rr.RecordingStream, shown: Sequence[tuple[bytes, str]]) -> None:
    for number, (data, encoding) in enumerate(shown, start=1):
        image = rr.EncodedImage(contents=data, media_type=f"image/{encoding}")
        stream.log(f"frames/{number}", image)


def _has_pose(ask: Row) -> bool:
    return all(ask.get(name) is not None for name in _POSE)


def _log_pose(stream: rr.RecordingStream, ask: Row, way: list[tuple[float, float, float]]) -> None:
    if not _has_pose(ask):
        return
    x_m, y_m, yaw_deg = (float(ask[name]) for name in _POSE)
    way.append((x_m, y_m, 0.0))
    ahead = (_HEADING_M * cos(radians(yaw_deg)), _HEADING_M * sin(radians(yaw_deg)), 0.0)
    stream.log("world/ego", rr.Arrows3D(origins=[way[-1]], vectors=[ahead]))
    stream.log("world/way", rr.LineStrips3D([way]))
    for name in _POSE:
        stream.log(f"pose/{name}", rr.Scalars([float(ask[name])]))


def _log_columns(stream: rr.RecordingStream, ask: Row) -> None:
    """Log the family's own columns: pixels under ``evidence``, texts and truths under ``read``."""
    own = COLUMNS.get(ask["family"])
    for name in own.steps.names if own is not None else ():
        value = ask.get(name)
        if value is None or name in _POSE:
            continue
        if name.endswith("_px"):
            counts = [float(one) for one in (value if isinstance(value, list) else [value])]
            if counts:
                stream.log(f"evidence/{name}", rr.Scalars(counts))
        elif isinstance(value, str | bool | int | float):
            stream.log(f"read/{name}", rr.TextLog(str(value)))
    stream.log("read/parse_status", rr.TextLog(str(ask["parse_status"])))


def _layout(asks: Sequence[Row], pictures: Pictures) -> rrb.Blueprint:
    most = max(map(len, pictures.values()), default=0)
    frames = [rrb.Spatial2DView(origin=f"frames/{number}") for number in range(1, most + 1)]
    has_pose = any(_has_pose(ask) for ask in asks)
    seen = rrb.Vertical(
        *([rrb.Tabs(*frames, name="frames")] if frames else []),
        *([rrb.Spatial3DView(origin="world", name="room")] if has_pose else []),
    )
    words = [rrb.TextDocumentView(origin=f"words/{name}", name=name) for name in ("user", "reply")]
    said = rrb.Vertical(*words, rrb.TextLogView(origin="read", name="read"))
    evidence = rrb.TimeSeriesView(origin="evidence", name="evidence")
    shown = [seen, said] if frames or has_pose else [said]
    return rrb.Blueprint(
        rrb.Vertical(rrb.Horizontal(*shown), evidence, row_shares=[3, 1]), collapse_panels=True
    )


def _plain(value: Any) -> Any:
    """Return the value as a recording's property can have it: a number, a text, or a list of one
    kind."""
    if isinstance(value, list):
        return value if value and len({type(one) for one in value}) == 1 else None
    return value if isinstance(value, bool | int | float | str) or value is None else str(value)
