"""Render the pictures of a recorded request by replay, without API calls and without Ray."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from mirror_ray.core.errors import RunDirError, SweepError
from mirror_ray.engine.rollout import DrawnPicture as ShownPicture
from mirror_ray.engine.rollout import observe
from mirror_ray.replay.episode import ReplayStep, find_episode, replay_steps
from mirror_ray.replay.playback import HistoryMismatchError
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker, new_renderer
from mirror_ray.world.opengl.encode import encode

_WHERE = "frame"
_KEPT = 8
"""Episodes kept in memory, because readers tend to step through one episode."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a model was shown, drawn again; a notebook shows it.

    Args:
        png: the exact pixels as a PNG file; a model that was sent JPEG saw nearly the same.
        is_as_recorded: whether all pictures of the request have the recorded pixels, by their hash.
            Another OpenGL may render the same scene differently; `mirror-ray verify` checks it.
    """

    png: bytes = field(repr=False)
    width_px: int
    height_px: int
    is_as_recorded: bool

    def save(self, path: str | PathLike[str]) -> None:
        """Write the PNG file, replacing an earlier one."""
        Path(path).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png


class FrameReader:
    """Renders the pictures of recorded episodes on a dedicated thread; thread-safe.

    Args:
        manifests: run directory → its manifest.
    """

    def __init__(self, manifests: Mapping[str, Mapping[str, Any]]) -> None:
        self._render_thread = RenderWorker(new_renderer)
        self._specs = cache(lambda directory: recorded_episodes(directory, manifests[directory]))
        self._asks = lru_cache(_KEPT)(self._played)

    def picture(self, directory: str, episode_id: str, step: int, view: int) -> Picture:
        """Return a picture of the first request of a step.

        Args:
            step: counted from 1.
            view: which of the request's pictures, from 1.

        Raises:
            SweepError: the step or picture does not exist, or the episode has not ended.
            RunDirError: a shard is damaged, or this program plays the episode differently.
            RenderError: it cannot be drawn.
        """
        asks, departure = self._asks(directory, episode_id)
        ask = next((one for one in asks if one.row["step"] == step), None)
        if ask is None and departure is not None:
            raise RunDirError(
                f"{directory}: episode {episode_id}",
                f"another episode than was recorded: {departure}",
                "a record that this release plays alike",
                "use the release that recorded it; the replies are in .steps()",
            )
        if ask is None:
            last = max((one.row["step"] for one in asks), default=0)
            raise SweepError(
                f"{_WHERE}: step",
                repr(step),
                f"a step of episode {episode_id}: 1 to {last}",
                "list them: .steps()",
            )
        if not 1 <= view <= len(ask.views):
            raise SweepError(
                f"{_WHERE}: view",
                repr(view),
                f"1 to {len(ask.views)}" if ask.views else "no view: this step shows no picture",
                "leave it out for the first" if ask.views else "its words are in .steps()",
            )
        return self._render_thread.draw(lambda renderer: _drawn(ask, view, renderer))

    def close(self) -> None:
        """Release the OpenGL context; nothing can be drawn afterwards."""
        self._render_thread.close()

    def _played(
        self, directory: str, episode_id: str
    ) -> tuple[tuple[ReplayStep, ...], HistoryMismatchError | None]:
        recording = find_episode(directory, self._specs(directory), episode_id, where=_WHERE)
        asks: list[ReplayStep] = []
        try:
            # The steps before a mismatch can still be drawn.
            asks.extend(replay_steps(recording))
        except HistoryMismatchError as mismatch:
            return tuple(asks), mismatch
        return tuple(asks), None


def _drawn(ask: ReplayStep, view: int, renderer: ClosableRenderer) -> Picture:
    frames = [renderer.draw(one) for one in ask.views]
    sent = [
        ShownPicture(encode(frame.rgb, one.encoding), frame.facts)
        for one, frame in zip(ask.views, frames, strict=True)
    ]
    image = encode(frames[view - 1].rgb, "png")
    is_as_recorded = observe(sent).frame_sha == ask.row["frame_sha"]
    return Picture(image.data, image.width_px, image.height_px, is_as_recorded)
