"""selfid as a task of Inspect: any model that Inspect knows plays the rooms.

``inspect eval mirror_ray/selfid --model openai/gpt-5.1``. An episode is the family's own generator,
as in a sweep: the same scenes for the same seeds, the same words and pixels, the same reader.
Inspect makes the calls, with its retries, limits and logs; they are in no run directory."""

from asyncio import get_running_loop
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import product
from math import nan
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mirror_ray.contract.family import advance
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.core.types import Ask, Image, Observation, Outcome, Reply, Turn, View
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer

FAMILY = FAMILIES["selfid"]
_PLAYED = ("E1", "E2", "E3", "E4")
"""The conditions in which a cube is selected, which determines the score."""
_AXES = ("max_steps", "image", "fov_deg", "history", "others", "frames")
"""The axes of the family that a task accepts."""
_FINISHES = {"stop": "stop", "max_tokens": "length", "content_filter": "content_filter"}
"""Inspect's reasons for a reply's end, translated to ours."""


@task
def selfid(condition: str = "E1", seeds: int = 21, runs: int = 2, **axes: Scalar) -> Task:
    """Return a task of one condition's rooms; a sample is a scene, scored by the selected cube.

    Args:
        condition: one of `_PLAYED`.
        seeds, runs: as in a sweep.
        axes: some of `_AXES`, as in a sweep file.

    Raises:
        SweepError: an unknown condition, axis or value.
    """
    cell = _cell(condition, axes)
    scenes = product(range(seeds), range(runs))
    samples = [
        Sample(
            input=f"selfid {condition}, scene {seed}, run {run}",
            id=f"{seed}.{run}",
            metadata={"scene_seed": seed, "run": run},
        )
        for seed, run in scenes
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"selfid {condition}"),
        solver=plays(cell),
        scorer=selects_own_color(),
        name=f"selfid_{condition}",
    )


@solver
def plays(cell: Cell) -> Solver:
    """Play a sample's episode: each request starts a conversation, as in a sweep."""
    # An OpenGL context belongs to one thread.
    drawing = ThreadPoolExecutor(1, thread_name_prefix="draws")
    renderers: list[Renderer] = []

    def drawn(views: tuple[View, ...]) -> tuple[list[Image], dict[str, Any]]:
        if not renderers:
            renderers.append(Renderer())
        images, facts = [], {}
        for view in views:
            frame = renderers[0].draw(view)
            images.append(encode(frame.rgb, view.encoding))
            facts = dict(frame.facts)
        return images, facts

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        spec = EpisodeSpec(cell, state.metadata["scene_seed"], state.metadata["run"])
        model, messages = get_model(), list[ChatMessage]()
        with closing(FAMILY.play(spec, spec.rng())) as playing:
            said: Ask | Outcome = advance(playing)
            while isinstance(said, Ask):
                images, facts = await get_running_loop().run_in_executor(drawing, drawn, said.views)
                output = await _asked(model, said, images, messages)
                observation = Observation(tuple(images), images[-1].rgb_sha, facts)
                said = advance(playing, Turn(observation, _reply(output)))
                state.output = output
        state.messages = messages
        state.metadata["selected"] = said.steps[-1]["selected_cube"] if said.terminated else None
        state.metadata["outcome"] = dict(said.fields)
        state.metadata["is_read"] = any(row["parse_status"] != "failed" for row in said.steps)
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def selects_own_color() -> Scorer:
    """Score 1 if the episode ended with the cube of the body's own colour (the paper's TSA).

    An episode none of whose replies was read is unscored: NaN, which Inspect's metrics skip."""

    async def score(state: TaskState, target: Target) -> Score:
        selected, own = state.metadata["selected"], state.metadata["outcome"]["ego_color"]
        if not state.metadata["is_read"]:
            return Score(value=nan, metadata={"unscored_reason": "unread"})
        return Score(
            value="C" if selected == own else "I", answer=selected, explanation=f"own colour: {own}"
        )

    return score


async def _asked(
    model: Model, ask: Ask, images: list[Image], messages: list[ChatMessage]
) -> ModelOutput:
    content: list[Content] = [ContentText(text=ask.user)]
    content += [ContentImage(image=_data_url(image)) for image in images]
    prompt: list[ChatMessage] = [ChatMessageUser(content=content)]
    if ask.system:
        prompt.insert(0, ChatMessageSystem(content=ask.system))
    output = await model.generate(prompt, config=GenerateConfig(max_tokens=ask.max_tokens))
    messages += [*prompt, output.message]
    return output


def _reply(output: ModelOutput) -> Reply:
    return Reply(output.completion, finish_reason=_FINISHES.get(output.stop_reason, "stop"))


def _data_url(image: Image) -> str:
    return f"data:image/{image.encoding};base64,{image.base64}"


def _cell(condition: str, axes: Mapping[str, Scalar]) -> Cell:
    if condition not in _PLAYED:
        raise SweepError("condition", repr(condition), ", ".join(_PLAYED), "e.g. -T condition=E1")
    chosen: dict[str, Scalar] = {}
    for name, value in axes.items():
        if name not in _AXES:
            raise SweepError(name, repr(value), f"some of {', '.join(_AXES)}", "leave it out")
        checked = FAMILY.axes[name].checked(value, name)
        if checked != FAMILY.axes[name].default:
            chosen[name] = checked
    subject = (("subject", "inspect/model"),)
    return Cell("selfid", condition, subject, None, "paper", tuple(sorted(chosen.items())))
