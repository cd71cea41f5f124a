"""`replay` plays an episode again from its record, one request at a time.

A request becomes a `ReplayStep` and, with its views drawn again, a `DrawnStep`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mirror_ray.contract.family import Family
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import FrameRenderer, View
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.rollout import DrawnPicture
from mirror_ray.records.shards.reader import StoredRow, entries_of, sealed_batches
from mirror_ray.replay.playback import HistoryMismatchError, play_back
from mirror_ray.world.room.scene import Pose
from mirror_ray.world.room.view import EyeView

_WHERE = "command line: EPISODE"
_MIN_PREFIX = 4


class EvidenceRenderer(FrameRenderer, Protocol):
    """A renderer that also identifies what each pixel shows."""

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return, for each pixel, its body, and whether it lies on the mirror's surface."""


@dataclass(frozen=True, slots=True)
class DrawnView:
    """A view drawn again: `rgb` is (height, width, 3) uint8. For an eye's view, `identities` are
    two (height, width) arrays: each pixel's code, and whether the pixel is in the mirror."""

    view: View
    rgb: NDArray[np.uint8]
    identities: tuple[NDArray[np.uint8], NDArray[np.bool_]] | None


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One request of an episode, before anything is drawn. `way` has the ego's positions in this
    role so far; it is empty without an eye's view. `is_last` says that the record ends here."""

    row: StoredRow
    views: tuple[View, ...]
    way: tuple[Pose, ...]
    is_last: bool

    @property
    def eye(self) -> EyeView | None:
        """The first view of a room through an eye; None without one."""
        return next((view for view in self.views if isinstance(view, EyeView)), None)


@dataclass(frozen=True, slots=True)
class DrawnStep(ReplayStep):
    """A step with its views drawn, in order."""

    seen: tuple[DrawnView, ...]


@dataclass(frozen=True, slots=True)
class RecordedEpisode:
    """An episode's rows."""

    family: Family
    spec: EpisodeSpec
    episode: StoredRow
    steps: tuple[StoredRow, ...]

    @property
    def text_columns(self) -> list[str]:
        """The text columns that the family adds to each step."""
        return [one.name for one in self.family.step_columns if one.type == pa.string()]


def find_episode(
    out: str, specs: Mapping[str, EpisodeSpec], prefix: str, *, where: str = _WHERE
) -> RecordedEpisode:
    """Return the episode whose id begins with `prefix`. Raise SweepError, headed by `where`, if no
    or more than one sealed episode has such an id, and RunDirError if a shard is damaged."""
    matches = [episode_id for episode_id in specs if episode_id.startswith(prefix)]
    if len(prefix) < _MIN_PREFIX or not matches:
        close = get_close_matches(prefix, specs, n=3, cutoff=0.5)
        raise SweepError(
            where,
            repr(prefix),
            f"an episode's id, or its first {_MIN_PREFIX} letters or more",
            f"did you mean {' or '.join(close)}?" if close else _listing(out),
        )
    if len(matches) > 1:
        raise SweepError(
            where,
            f"{prefix!r}, which begins {len(matches)} ids: {', '.join(matches[:5])}",
            "a prefix of one id",
            "give more letters",
        )
    for batch in sealed_batches(out, set(matches), schemas=row_schemas()):
        for episode, steps in batch.each():
            spec = specs[episode["episode_id"]]
            return RecordedEpisode(FAMILIES[batch.family], spec, episode, steps)
    raise SweepError(
        where, f"{matches[0]}, which has not ended yet", "an episode that has", _listing(out)
    )


def drawn_steps(recording: RecordedEpisode, renderer: EvidenceRenderer) -> Iterator[DrawnStep]:
    """Yield every request of the episode with its views drawn again. Raise as `replay_steps` does,
    and RenderError if a view cannot be drawn."""
    for step in replay_steps(recording):
        seen = tuple(drawn(view, renderer) for view in step.views)
        yield DrawnStep(step.row, step.views, step.way, step.is_last, seen)


def replay_steps(recording: RecordedEpisode) -> Iterator[ReplayStep]:
    """Yield every request of the episode as it is played again, without drawing.

    Raises:
        HistoryMismatchError: this program plays the episode differently; the steps before that
            request are valid.
    """
    entries = entries_of(recording.steps, recording.family.fact_columns)
    ways: dict[str, list[Pose]] = {}
    try:
        again = play_back(recording.family, recording.spec, entries)
        for played, row in zip(again, recording.steps, strict=False):
            views = played.ask.views
            way = ways.setdefault(played.ask.role, [])
            way += [view.ego.pose for view in views if isinstance(view, EyeView)][-1:]
            yield ReplayStep(row, views, tuple(way), is_last=row is recording.steps[-1])
    except HistoryMismatchError as mismatch:
        # The record of an episode that ended with an error stops where a reply failed to arrive.
        if mismatch.kind != "asks on" or recording.episode["error_kind"] == "none":
            raise


def drawn(view: View, renderer: EvidenceRenderer) -> DrawnView:
    """Draw a view again, with its identities if it has any. Raise as `EvidenceRenderer.draw`
    does."""
    rgb = renderer.draw(view).rgb
    return DrawnView(view, rgb, renderer.identify(view) if isinstance(view, EyeView) else None)


def encoded_pictures(views: Sequence[View], renderer: FrameRenderer) -> list[DrawnPicture]:
    """Draw the views of a request again, encoded as they were sent to the model."""
    # Imported late: callers that draw nothing load no OpenGL.
    from mirror_ray.world.opengl.encode import encode  # noqa: PLC0415

    frames = [(view, renderer.draw(view)) for view in views]
    return [DrawnPicture(encode(frame.rgb, view.encoding), frame.facts) for view, frame in frames]


def _listing(out: str) -> str:
    query = "select episode_id, family, condition, model from metric.scores"
    return f'list them: mirror-ray sql {out} "{query}"'
