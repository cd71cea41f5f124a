"""selfid's rooms as an environment of verifiers, played by the family's own generator.

A task is a scene. The harness plays it in this process: it draws what the generator asks for, sends
each request as a conversation of its own, and lets the generator read the reply.
"""

from asyncio import get_running_loop
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import product
from typing import Any, Literal

import verifiers.v1 as vf
from openai import AsyncOpenAI
from pydantic import Field

from mirror_ray.contract.family import advance
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Ask, Image, Observation, Outcome, Reply, Turn, View
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer

__all__ = ["Rooms", "RoomsEnv", "RoomsHarness"]

FAMILY = FAMILIES["selfid"]
_FINISHES = ("stop", "length", "content_filter")


class RoomsConfig(vf.TasksetConfig):
    """Some settings of a sweep."""

    condition: Literal["E1", "E2", "E3", "E4"] = "E1"
    seeds: int = Field(21, ge=1)
    runs: int = Field(2, ge=1)
    image: str = str(FAMILY.axes["image"].default)
    max_steps: int = Field(FAMILY.axes["max_steps"].default, ge=1)


class RoomData(vf.TaskData):
    """A scene."""

    condition: str
    scene_seed: int
    run: int
    axes: dict[str, str | int]


class RoomState(vf.State):
    """The end of an episode."""

    selected: str | None = None
    own: str = ""


class RoomTask(vf.Task[RoomData, RoomState, vf.TaskConfig]):
    """A scene, scored by the selected cube."""

    @vf.reward
    async def selects_own_color(self, trace: vf.Trace) -> float:
        return float(trace.state.selected == trace.state.own)


class Rooms(vf.Taskset[RoomTask, RoomsConfig]):
    """The scenes of one condition."""

    def load(self) -> Iterator[RoomTask]:
        """Yield the scenes in the order of a sweep."""
        chosen = {name: getattr(self.config, name) for name in ("image", "max_steps")}
        checked = {name: FAMILY.axes[name].checked(value, name) for name, value in chosen.items()}
        axes = {
            name: value for name, value in checked.items() if value != FAMILY.axes[name].default
        }
        for seed, run in product(range(self.config.seeds), range(self.config.runs)):
            about = {"condition": self.config.condition, "scene_seed": seed, "run": run}
            name = f"selfid {self.config.condition}, scene {seed}, run {run}"
            yield RoomTask(RoomData(name=name, prompt=name, axes=axes, **about), self.config.task)


class RoomsHarness(vf.Harness[vf.HarnessConfig]):
    """Plays an episode in this process, with one OpenGL context on a thread of its own."""

    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    def __init__(self, config: vf.HarnessConfig) -> None:
        super().__init__(config)
        self._drawing = ThreadPoolExecutor(1, thread_name_prefix="draws")
        self._renderers: list[Renderer] = []

    async def launch(  # noqa: PLR0917 - verifiers' own signature
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: RoomData,
    ) -> vf.ProgramResult:
        """Play the task's scene; the requests go to `endpoint`, which records them."""
        axes = tuple(sorted(data.axes.items()))
        cell = Cell("selfid", data.condition, (("subject", "vf/model"),), None, "paper", axes)
        spec = EpisodeSpec(cell, data.scene_seed, data.run)
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            with closing(FAMILY.play(spec, spec.rng())) as playing:
                said: Ask | Outcome = advance(playing)
                while isinstance(said, Ask):
                    images, facts = await get_running_loop().run_in_executor(
                        self._drawing, self._drawn, said.views
                    )
                    reply = await _asked(client, ctx.model, said, images)
                    observation = Observation(tuple(images), images[-1].rgb_sha, facts)
                    said = advance(playing, Turn(observation, reply))
        trace.state.own = said.fields["ego_color"]
        trace.state.selected = said.steps[-1]["selected_cube"] if said.terminated else None
        return vf.ProgramResult(0, "", "")

    def _drawn(self, views: tuple[View, ...]) -> tuple[list[Image], dict[str, Any]]:
        if not self._renderers:
            self._renderers.append(Renderer())
        frames = [self._renderers[0].draw(view) for view in views]
        images = [encode(one.rgb, view.encoding) for one, view in zip(frames, views, strict=True)]
        return images, dict(frames[-1].facts)


class RoomsEnvConfig(vf.EnvConfig):
    """One agent, whose harness runs on this machine."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class RoomsEnv(vf.Env[RoomsEnvConfig]):
    """One agent plays one scene."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Play the scene once."""
        await agents.agent.run(task)


async def _asked(client: AsyncOpenAI, model: str, ask: Ask, images: list[Image]) -> Reply:
    content: list[Any] = [{"type": "text", "text": ask.user}]
    for image in images:
        url = f"data:image/{image.encoding};base64,{image.base64}"
        content.append({"type": "image_url", "image_url": {"url": url}})
    messages: list[Any] = [{"role": "user", "content": content}]
    if ask.system:
        messages.insert(0, {"role": "system", "content": ask.system})
    replied = await client.chat.completions.create(
        model=model, messages=messages, max_tokens=ask.max_tokens
    )
    choice = replied.choices[0]
    finish = choice.finish_reason if choice.finish_reason in _FINISHES else "stop"
    return Reply(choice.message.content or "", finish_reason=finish)
