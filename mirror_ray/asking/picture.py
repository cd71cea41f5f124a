"""The axis `picture`: what replaces a picture, to show how much of a score depends on it."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from mirror_ray.contract.family import advance
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Encoding, Outcome, Play, Turn, View

PICTURE = "picture"
_SHOWN, _OTHER = "shown", "other_scene"
_OTHER_SCENE = 1_000_003
"""Added to a scene's seed."""

Hidden: TypeAlias = Literal["black", "scrambled", "mirror_masked"]

_Player = Callable[[EpisodeSpec, np.random.Generator], Play]


@dataclass(frozen=True, slots=True)
class BlindView:
    """A view of which a part is hidden."""

    painter: ClassVar[str] = "mirror_ray.world.blind:BlindPainter"

    view: View
    hidden: Hidden

    @property
    def width_px(self) -> int:
        """Width of the frame."""
        return self.view.width_px

    @property
    def height_px(self) -> int:
        """Height of the frame."""
        return self.view.height_px

    @property
    def encoding(self) -> Encoding:
        """How the frame is encoded for the model."""
        return self.view.encoding


def with_picture_axis(play: _Player) -> _Player:
    """Return the same play, with the axis's pictures instead of its own."""

    def played(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
        picture = str(dict(spec.cell.axes).get(PICTURE, _SHOWN))
        if picture == _SHOWN:
            return (yield from play(spec, rng))
        shows = _Elsewhere(play, spec).views if picture == _OTHER else _hidden(picture)
        with closing(play(spec, rng)) as playing:
            turn: Turn | None = None
            reached = advance(playing)
            while isinstance(reached, Ask):
                turn = yield replace(reached, views=shows(reached, turn))
                reached = advance(playing, turn)
            return reached

    return played


def _hidden(picture: Any) -> Callable[[Ask, Turn | None], tuple[View, ...]]:
    return lambda ask, _: tuple(BlindView(view, picture) for view in ask.views)


class _Elsewhere:
    """Plays the same replies in another scene for its pictures; the last ones are repeated."""

    def __init__(self, play: _Player, spec: EpisodeSpec) -> None:
        other = replace(spec, scene_seed=spec.scene_seed + _OTHER_SCENE)
        self._playing = play(other, other.rng())
        self._views: tuple[View, ...] = ()
        self._is_over = False

    def views(self, ask: Ask, turn: Turn | None) -> tuple[View, ...]:
        """Return the other scene's pictures after a turn."""
        if not self._is_over:
            reached = advance(self._playing, turn)
            self._is_over = isinstance(reached, Outcome)
            if isinstance(reached, Ask):
                self._views = reached.views
        return self._views[: len(ask.views)] or ask.views
