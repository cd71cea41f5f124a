"""MIRROR's episodes without a run: replies by hand, or an agent's."""

from collections.abc import Sequence

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.metacog.family import FAMILY

OWN = {"accuracy": {"arithmetic": 0.9, "spatial": 0.25}, "weak": ["spatial"]}


def cell_of(condition: str, **axes: Scalar) -> Cell:
    off_default = {k: v for k, v in axes.items() if v != FAMILY.axes[k].default}
    subject = (("subject", "scripted/calibrated"),)
    return Cell("metacog", condition, subject, 0.0, "paper", tuple(sorted(off_default.items())))


def played(spec: EpisodeSpec, replies: Sequence[Reply]) -> tuple[list[Ask], Outcome]:
    """An episode to which these replies are given, the last of them again and again."""
    playing = FAMILY.play(spec, spec.rng())
    asks = [next(playing)]
    try:
        while True:
            reply = replies[min(len(asks), len(replies)) - 1]
            asks.append(playing.send(Turn(Observation((), None, {}), reply)))
    except StopIteration as end:
        return asks, end.value


def answered(spec: EpisodeSpec, agent: str) -> tuple[list[Ask], Outcome]:
    playing = FAMILY.play(spec, spec.rng())
    asks = [next(playing)]
    try:
        while True:
            ask = asks[-1]
            prompt = prompt_for(agent, ask.system, ask.user, [], ask.truth)
            reply = Reply(AGENTS[agent](prompt), finish_reason="stop")
            asks.append(playing.send(Turn(Observation((), None, {}), reply)))
    except StopIteration as end:
        return asks, end.value


def said(*texts: str) -> list[Reply]:
    return [Reply(text, finish_reason="stop") for text in texts]
