"""Episodes played by offline agents in this process, sealed as shards: no Ray, no network."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.family import Family
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Reply, Request, View
from mirror_ray.engine.rollout import Asked, DrawnPicture, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.finished import FinishedEpisode
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer


def play_agents(
    family: Family, specs: Iterable[EpisodeSpec], out: Path, *, sweep: str = "s"
) -> None:
    """Plays each episode by its cell's agent, into the run directory `out`.

    Every picture is drawn once, for all of them.
    """
    finished = asyncio.run(_played(family, specs, sweep))
    episodes = [{"take": 1, **one.episode} for one in finished]
    steps = [{"take": 1, **step} for one in finished for step in one.steps]
    _write(out, "episodes", family, with_family_columns(EPISODES, family.episode_columns), episodes)
    _write(out, "steps", family, with_family_columns(STEPS, family.step_columns), steps)


async def _played(
    family: Family, specs: Iterable[EpisodeSpec], sweep: str
) -> list[FinishedEpisode]:
    renderer = Renderer()

    @cache
    def drawn(view: View) -> DrawnPicture:
        frame = renderer.draw(view)
        return DrawnPicture(encode(frame.rgb, view.encoding), frame.facts)

    async def draw(view: View) -> DrawnPicture:
        return drawn(view)

    try:
        return [
            await rollout(family, spec, sweep=sweep, prefix=(), draw=draw, ask=_answered)
            for spec in specs
        ]
    finally:
        renderer.close()


async def _answered(request: Request, asked: Asked) -> Entry:
    agent = request.model.removeprefix("scripted/")
    images = [image.data for image in request.images]
    prompt = prompt_for(agent, request.system, request.user, images, request.truth)
    return asked.answered(request, Reply(AGENTS[agent](prompt), finish_reason="stop"))


def _write(
    out: Path, kind: str, family: Family, schema: pa.Schema, rows: Sequence[Mapping[str, Any]]
) -> None:
    path = out / kind / f"family={family.name}" / "part-000000.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
