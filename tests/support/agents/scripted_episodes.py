"""Playing selfid with the scripted agents, without an engine: draw, encode, ask, act."""

from collections.abc import Mapping
from dataclasses import dataclass
from json import loads
from typing import Any

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer


@dataclass(frozen=True)
class Seen:
    """One ask as the agent got it, its reply and the truth about the frame."""

    ask: Ask
    image: bytes
    facts: Mapping[str, Any]
    reply: Mapping[str, Any]


@dataclass(frozen=True)
class Played:
    outcome: Outcome
    steps: tuple[Seen, ...]

    @property
    def truth(self) -> str:
        return str(self.outcome.fields["ego_color"])

    @property
    def answer(self) -> str | None:
        """The selected cube, or the identification if there is none to select; None: no done."""
        if not self.outcome.terminated:
            return None
        last = self.steps[-1].reply
        return str(last.get("selected_cube", last["identification"]))

    @property
    def identifications(self) -> list[str]:
        return [step.reply["identification"] for step in self.steps]


def episode(condition: str, agent: str, seed: int, run: int, **axes: int | str) -> EpisodeSpec:
    model_of = (("subject", f"scripted/{agent}"),)
    cell = Cell("selfid", condition, model_of, 0.2, "paper", tuple(sorted(axes.items())))
    return EpisodeSpec(cell, seed, run)


def play(renderer: Renderer, spec: EpisodeSpec) -> Played:
    agent = spec.cell.model.removeprefix("scripted/")
    playing = FAMILY.play(spec, spec.rng())
    steps: list[Seen] = []
    try:
        ask = next(playing)
        while True:
            frame = renderer.draw(ask.views[0])
            image = encode(frame.rgb, ask.views[0].encoding)
            text = AGENTS[agent](prompt_for(agent, ask.system, ask.user, [image.data], ask.truth))
            steps.append(Seen(ask, image.data, frame.facts, loads(text)))
            observation = Observation((image,), image.rgb_sha, frame.facts)
            ask = playing.send(Turn(observation, Reply(text)))
    except StopIteration as end:
        return Played(end.value, tuple(steps))
