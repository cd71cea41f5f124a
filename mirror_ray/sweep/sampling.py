"""Sample scenes: reference agents play a few episodes of each kind through the real prompts.

A prompt's length depends on the family, condition, variant and axes, not on the model, so one
sample serves all models. Two agents bracket a model: one looks at every picture and takes the
shortest way; the other wanders until the last step."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
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
from mirror_ray.core.types import Ask, Observation, Reply, Turn
from mirror_ray.core.view_key import view_key
from mirror_ray.sweep.ranges import ZERO_RANGE, Range, between, exactly
from mirror_ray.sweep.sample_pictures import SamplePictures, new_renderer, probe_driver
from mirror_ray.world.opengl.forked import computed_in_fork, may_fork

SAMPLE_EPISODES = 8
"""Episodes of each agent, over all kinds; every kind gets at least one."""

EpisodeKind: TypeAlias = tuple[str, str, str, tuple[tuple[str, object], ...]]
"""The factors of an episode's prompts: family, condition, variant, axes."""

_Chosen: TypeAlias = Mapping[EpisodeKind, list[EpisodeSpec]]

_DRIVER_STARTS_WITHIN_S = 5.0


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
    chosen = {kind: list(scenes.values())[:each] for kind, scenes in specs.items()}
    if may_fork("mujoco"):
        # The process that draws is the one that a broken driver may crash, so none is tried before.
        found = computed_in_fork(partial(_samples_in_fork, chosen), _DRIVER_STARTS_WITHIN_S)
        if found is not None:
            return found
    try:
        probe_driver()
        pictures = SamplePictures(new_renderer())
    except (RenderError, ImportError) as error:
        pictures = SamplePictures(None, str(error).splitlines()[0])
    return _samples(chosen, pictures)


def _samples_in_fork(chosen: _Chosen, ready: Callable[[], None]) -> Samples:
    renderer = new_renderer()
    ready()
    return _samples(chosen, SamplePictures(renderer))


def _samples(chosen: _Chosen, pictures: SamplePictures) -> Samples:
    with closing(pictures):
        by_kind = {kind: _sample(specs, pictures) for kind, specs in chosen.items()}
    return Samples(
        by_kind,
        image_bytes=mean(pictures.image_bytes) if pictures.image_bytes else None,
        drawing_s=median(pictures.drawing_s) if pictures.drawing_s else None,
        thinking_s=median(pictures.thinking_s) if pictures.thinking_s else 0.0,
        trouble=pictures.trouble,
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


def _sample(specs: list[EpisodeSpec], pictures: SamplePictures) -> KindSample:
    family = FAMILIES[specs[0].cell.family]
    first = first_ask(family, specs[0])
    seeing_agent, wandering_agent = family.sampled_by
    cannot_see = pictures.trouble is not None and family.draws
    seeing = [] if cannot_see else _played(specs, seeing_agent, pictures, draws=True)
    wandering = _played(specs, wandering_agent, pictures, draws=False)
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


def _played(
    specs: list[EpisodeSpec], agent: str, pictures: SamplePictures, *, draws: bool
) -> _Played:
    """Return each scene, played to its end by an agent; none if it does not support the prompts."""
    try:
        return [_play(spec, agent, pictures, draws=draws) for spec in specs]
    except UnfamiliarPromptError:
        return []


def _play(
    spec: EpisodeSpec, agent: str, pictures: SamplePictures, *, draws: bool
) -> list[_SampleAsk]:
    asks: list[_SampleAsk] = []
    shown: set[bytes] = set()
    with closing(FAMILIES[spec.cell.family].play(spec, spec.rng())) as play:
        reached = advance(play)
        while isinstance(reached, Ask):
            keys = [view_key(view) for view in reached.views]
            later = tuple(key not in shown for key in keys) if asks else ()
            shown.update(key for key in keys if key is not None)
            turn = _turn(reached, agent, pictures, draws=draws)
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


def _turn(ask: Ask, agent: str, pictures: SamplePictures, *, draws: bool) -> Turn:
    drawn = [pictures.draw(view) for view in ask.views] if draws else []
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
        pictures.thinking_s.append(perf_counter() - began_s)
    each = [facts for _, facts in drawn]
    facts = each[0] if len(each) == 1 else {"views": each}
    return Turn(Observation(tuple(images), None, facts), Reply(text))
