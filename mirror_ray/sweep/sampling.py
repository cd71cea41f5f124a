"""Sample scenes: reference agents play a few episodes of each kind through the real prompts.

A prompt's length depends on the family, condition, variant and axes, not on the model, so one
sample serves all models. Two agents bracket a model: one looks at every picture and takes the
shortest way; the other wanders until the last step."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean, mean, median
from time import perf_counter
from typing import TypeAlias

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.prompt import known_content
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.family import advance, first_ask
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RenderError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.text_length import prose_chars
from mirror_ray.core.types import Ask, Image, Observation, Reply, Turn, View
from mirror_ray.core.view_key import view_key
from mirror_ray.sweep.ranges import ZERO_RANGE, Range, between, exactly
from mirror_ray.world.opengl.context import self_test
from mirror_ray.world.opengl.encode import encode

SAMPLE_EPISODES = 8
"""Episodes of each agent, over all kinds; every kind gets at least one."""

EpisodeKind: TypeAlias = tuple[str, str, str, tuple[tuple[str, object], ...]]
"""The factors of an episode's prompts: family, condition, variant, axes."""


def kind_of(cell: Cell) -> EpisodeKind:
    """Return the kind of a cell's episodes, which does not depend on the model."""
    return cell.family, cell.condition, cell.variant, cell.axes


@dataclass(frozen=True, slots=True)
class KindSample:
    """The demands of episodes of one kind.

    Args:
        episodes: number played; 0 if no reference agent supports the prompts, so that all figures
            are bounds.
        asks: per episode; `max_asks` is the family's bound.
        prompt_chars: mean length of a request's system and user text; `longest_chars` the maximum.
        reply_chars: of a reply, as the mean of the terser agent.
        reply_tokens: the most that a request allows for a reply.
        images_px: (width, height) of the pictures of the first request.
        pictures: per request, as multiples of the first one's: the mean, and up to the most.
        first_views: keys of the views of the first scene's first request; None for a view without.
        later_new: of the pictures after an episode's first request, the share not shown before.
        role_shares: role → its share of the requests, if several models are asked.
    """

    episodes: int
    asks: Range
    max_asks: int
    prompt_chars: float
    longest_chars: int
    reply_chars: float
    reply_tokens: int
    images_px: tuple[tuple[int, int], ...]
    pictures: Range = field(default_factory=lambda: exactly(1.0))
    first_views: tuple[bytes | None, ...] = ()
    later_new: float = 1.0
    role_shares: Mapping[str, float] = field(default_factory=dict)


NO_SAMPLE = KindSample(0, ZERO_RANGE, 0, 0.0, 0, 1.0, 0, ())


@dataclass(frozen=True, slots=True)
class Samples:
    """All kinds' samples, and this machine's pace.

    Args:
        image_bytes: mean size of an encoded picture; None if nothing could be drawn.
        drawing_s: median seconds to draw and encode a picture, on one thread; None likewise.
        thinking_s: median seconds of the seeing agent per reply; 0 if it did not play.
        trouble: why nothing could be drawn; None if drawing works.
    """

    by_kind: Mapping[EpisodeKind, KindSample]
    image_bytes: float | None
    drawing_s: float | None
    thinking_s: float
    trouble: str | None


def sample_scenes(episodes: Iterable[EpisodeSpec]) -> Samples:
    """Play samples of every kind among `episodes`, the first scenes of each.

    This takes half a second per kind. Without OpenGL, only the wandering agent plays."""
    specs: dict[EpisodeKind, dict[tuple[int, int], EpisodeSpec]] = {}
    of_cell: dict[Cell, dict[tuple[int, int], EpisodeSpec]] = {}
    for spec in episodes:
        scenes = of_cell.get(spec.cell)
        if scenes is None:
            scenes = of_cell[spec.cell] = specs.setdefault(kind_of(spec.cell), {})
        if len(scenes) < SAMPLE_EPISODES:
            scenes.setdefault((spec.scene_seed, spec.run), spec)
    each = max(1, SAMPLE_EPISODES // max(1, len(specs)))
    with closing(_Studio()) as studio:
        by_kind = {
            kind: _sample(list(scenes.values())[:each], studio) for kind, scenes in specs.items()
        }
    return Samples(
        by_kind,
        image_bytes=mean(studio.image_bytes) if studio.image_bytes else None,
        drawing_s=median(studio.drawing_s) if studio.drawing_s else None,
        thinking_s=median(studio.thinking_s) if studio.thinking_s else 0.0,
        trouble=studio.trouble,
    )


@dataclass(frozen=True, slots=True)
class _SampleAsk:
    """A request of a sample episode. `reply_bound` is in tokens. `later_views` tells, for each
    picture after the first request, whether the view was new in the episode."""

    prompt_chars: int
    reply_chars: int
    n_views: int
    reply_bound: int
    role: str
    later_views: tuple[bool, ...]


_Played: TypeAlias = list[list[_SampleAsk]]
"""An agent's sample episodes."""


class _Studio:
    def __init__(self) -> None:
        self.image_bytes: list[int] = []
        self.drawing_s: list[float] = []
        self.thinking_s: list[float] = []
        self.trouble: str | None = None
        self._drawn: dict[bytes, tuple[Image, Mapping[str, object]]] = {}
        try:
            _probe_driver()
            # Imported late: MuJoCo and OpenGL are for machines that have them.
            from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

            self._renderer = Renderer()
        except (RenderError, ImportError) as error:
            self.trouble = str(error).splitlines()[0]

    def close(self) -> None:
        """Release the OpenGL context, because the planning process, e.g. a notebook, may continue
        to run."""
        if self.trouble is None:
            self._renderer.close()

    def draw(self, view: View) -> tuple[Image, Mapping[str, object]]:
        """Draw a view once, as a run does: conditions of one scene share many."""
        key = view_key(view)
        if key is not None and key in self._drawn:
            return self._drawn[key]
        began_s = perf_counter()
        frame = self._renderer.draw(view)
        image = encode(frame.rgb, view.encoding)
        self.drawing_s.append(perf_counter() - began_s)
        self.image_bytes.append(len(image.data))
        if key is not None:
            self._drawn[key] = image, frame.facts
        return image, frame.facts


@cache
def _probe_driver() -> None:
    """Try the driver in a separate process first, because a broken one may crash its process.

    A working driver is then loaded in this process. The result is cached, so that a notebook that
    plans again does not wait a second time.

    Raises:
        RenderError: it does not work; the next call looks again.
    """
    self_test()


def _sample(specs: list[EpisodeSpec], studio: _Studio) -> KindSample:
    family = FAMILIES[specs[0].cell.family]
    first = first_ask(family, specs[0])
    seeing_agent, wandering_agent = family.sampled_by
    cannot_see = studio.trouble is not None and family.draws
    seeing = [] if cannot_see else _played(specs, seeing_agent, studio, draws=True)
    wandering = _played(specs, wandering_agent, studio, draws=False)
    asks = [ask for episode in seeing + wandering for ask in episode]
    of_agents = [[ask for one in played for ask in one] for played in (seeing, wandering) if played]
    prompts = [ask.prompt_chars for ask in asks]
    prompts = prompts or [prose_chars(first.system) + prose_chars(first.user)]
    later = [is_new for ask in asks for is_new in ask.later_views]
    roles = Counter(ask.role for ask in asks)
    return KindSample(
        episodes=len(seeing + wandering),
        asks=_asks(seeing, wandering, family.max_asks(specs[0])),
        max_asks=family.max_asks(specs[0]),
        prompt_chars=sum(prompts) / len(prompts),
        longest_chars=max(prompts),
        reply_chars=min(
            (fmean(ask.reply_chars for ask in mine) for mine in of_agents if mine), default=1.0
        ),
        reply_tokens=max([first.max_tokens, *(ask.reply_bound for ask in asks)]),
        images_px=tuple((view.width_px, view.height_px) for view in first.views),
        pictures=_pictures([ask.n_views for ask in asks], len(first.views)),
        first_views=tuple(map(view_key, first.views)),
        later_new=mean(later) if later else 1.0,
        role_shares={role: count / len(asks) for role, count in sorted(roles.items())},
    )


def _pictures(counts: list[int], first: int) -> Range:
    # As multiples of the first request's pictures, because later requests may have more.
    if not counts or not first:
        return exactly(1.0)
    mean, most = sum(counts) / len(counts) / first, max(counts) / first
    return Range(mean, mean, most)


def _asks(seeing: _Played, wandering: _Played, max_asks: int) -> Range:
    means = [sum(map(len, played)) / len(played) for played in (seeing, wandering) if played]
    if len(means) == 2:
        return between(min(means), max(means))
    return between(1.0, means[0] if means else max_asks)


def _played(specs: list[EpisodeSpec], agent: str, studio: _Studio, *, draws: bool) -> _Played:
    """Return each scene, played to its end by an agent; none if it does not support the prompts."""
    try:
        return [_play(spec, agent, studio, draws=draws) for spec in specs]
    except UnfamiliarPromptError:
        return []


def _play(spec: EpisodeSpec, agent: str, studio: _Studio, *, draws: bool) -> list[_SampleAsk]:
    asks: list[_SampleAsk] = []
    shown: set[bytes] = set()
    with closing(FAMILIES[spec.cell.family].play(spec, spec.rng())) as play:
        reached = advance(play)
        while isinstance(reached, Ask):
            keys = [view_key(view) for view in reached.views]
            later = tuple(key not in shown for key in keys) if asks else ()
            shown.update(key for key in keys if key is not None)
            turn = _turn(reached, agent, studio, draws=draws)
            asks.append(
                _SampleAsk(
                    prose_chars(reached.system) + prose_chars(reached.user),
                    prose_chars(turn.reply.text),
                    len(reached.views),
                    reached.max_tokens,
                    reached.role,
                    later,
                )
            )
            reached = advance(play, turn)
    return asks


def _turn(ask: Ask, agent: str, studio: _Studio, *, draws: bool) -> Turn:
    drawn = [studio.draw(view) for view in ask.views] if draws else []
    images = [image for image, _ in drawn]
    began_s = perf_counter()
    prompt = prompt_for(
        agent,
        ask.system,
        ask.user,
        [image.data for image in images],
        ask.truth,
        contents=list(map(known_content, images)),
    )
    text = AGENTS[agent](prompt)
    if draws:
        studio.thinking_s.append(perf_counter() - began_s)
    each = [facts for _, facts in drawn]
    facts = each[0] if len(each) == 1 else {"views": each}
    return Turn(Observation(tuple(images), None, facts), Reply(text))
