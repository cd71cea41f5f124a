"""`replay`: an episode shown again, ask by ask, from its record.

Knows how an ask becomes a shot: what it showed, drawn again, and what was recorded of it. Does not
know how a shot looks on a page, nor any family.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mirror_ray.engine.recall import DepartureError, recall
from mirror_ray.errors import SweepError
from mirror_ray.identity import EpisodeSpec
from mirror_ray.records.sealed import StoredRow, entries_of, sealed_batches
from mirror_ray.tasks import FAMILIES
from mirror_ray.tasks.family import Family
from mirror_ray.types import Frame, View
from mirror_ray.world.scene import Pose
from mirror_ray.world.view import EyeView

_WHERE = "command line: EPISODE"
_MIN_PREFIX = 4


class Draws(Protocol):
    """A renderer."""

    def draw(self, view: View) -> Frame:
        """Draws a view; RenderError when it cannot."""
        ...

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Whose each pixel is, and whether it lies on the mirror's surface."""
        ...


@dataclass(frozen=True, slots=True)
class Seen:
    """A view drawn again.

    Args:
        rgb: (height, width, 3) uint8.
        identities: for an eye's view, (height, width) each: codes, and whether in the mirror.
    """

    view: View
    rgb: NDArray[np.uint8]
    identities: tuple[NDArray[np.uint8], NDArray[np.bool_]] | None


@dataclass(frozen=True, slots=True)
class Moment:
    """One ask of an episode, before anything is drawn.

    Args:
        row: what was recorded of it.
        views: what it showed, in order.
        way: where the ego has stood up to now, this ask included; empty without an eye's view.
        is_last: whether the record ends here.
    """

    row: StoredRow
    views: tuple[View, ...]
    way: tuple[Pose, ...]
    is_last: bool


@dataclass(frozen=True, slots=True)
class Shot:
    """A moment with its views drawn.

    Args:
        row: what was recorded of it.
        seen: its views, in order.
        way: where the ego has stood up to now, this ask included; empty without an eye's view.
        is_last: whether the record ends here.
    """

    row: StoredRow
    seen: tuple[Seen, ...]
    way: tuple[Pose, ...]
    is_last: bool


@dataclass(frozen=True, slots=True)
class Recording:
    """An episode's rows."""

    family: Family
    spec: EpisodeSpec
    episode: StoredRow
    steps: tuple[StoredRow, ...]


def find_episode(out: str, specs: Mapping[str, EpisodeSpec], prefix: str) -> Recording:
    """The episode whose id begins with `prefix`.

    Raises:
        SweepError: no sealed episode has such an id, or several have.
        RunDirError: a shard is damaged.
    """
    matches = [episode_id for episode_id in specs if episode_id.startswith(prefix)]
    if len(prefix) < _MIN_PREFIX or not matches:
        close = get_close_matches(prefix, specs, n=3, cutoff=0.5)
        raise SweepError(
            _WHERE,
            repr(prefix),
            f"an episode's id, or its first {_MIN_PREFIX} letters or more",
            f"did you mean {' or '.join(close)}?" if close else _listing(out),
        )
    if len(matches) > 1:
        raise SweepError(
            _WHERE,
            f"{prefix!r}, which begins {len(matches)} ids: {', '.join(matches[:5])}",
            "a prefix of one id",
            "give more letters",
        )
    for batch in sealed_batches(out, set(matches)):
        for episode, steps in batch.each():
            spec = specs[episode["episode_id"]]
            return Recording(FAMILIES[batch.family], spec, episode, steps)
    raise SweepError(
        _WHERE, f"{matches[0]}, which has not ended yet", "an episode that has", _listing(out)
    )


def shots(recording: Recording, renderer: Draws) -> Iterator[Shot]:
    """Every ask of the episode, drawn again as it comes.

    Raises:
        DepartureError: as `moments`.
        RenderError: a view cannot be drawn.
    """
    for moment in moments(recording):
        seen = tuple(drawn(view, renderer) for view in moment.views)
        yield Shot(moment.row, seen, moment.way, moment.is_last)


def moments(recording: Recording) -> Iterator[Moment]:
    """Every ask of the episode as it is played again, without a picture.

    Raises:
        DepartureError: today's program does not play what was recorded; the moments before stand.
    """
    entries = entries_of(recording.steps, recording.family.fact_columns)
    way: list[Pose] = []
    try:
        again = recall(recording.family, recording.spec, entries)
        for recalled, row in zip(again, recording.steps, strict=False):
            views = recalled.ask.views
            way += [view.ego.pose for view in views if isinstance(view, EyeView)][:1]
            yield Moment(row, views, tuple(way), is_last=row is recording.steps[-1])
    except DepartureError as departure:
        # A failed episode's record ends where a reply failed to come.
        if departure.kind != "asks on" or recording.episode["error_kind"] == "none":
            raise


def drawn(view: View, renderer: Draws) -> Seen:
    """A view drawn again, with its identities where it has any; RenderError as `Draws.draw`."""
    rgb = renderer.draw(view).rgb
    return Seen(view, rgb, renderer.identify(view) if isinstance(view, EyeView) else None)


def _listing(out: str) -> str:
    query = "select episode_id, condition, model from episode.selfid"
    return f'list them: mirror-ray sql {out} "{query}"'
