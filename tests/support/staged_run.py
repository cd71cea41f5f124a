"""A run of several stages without Ray: offline agents reply in process, stage after stage."""

import asyncio
from pathlib import Path
from typing import Any

import yaml

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.episode_rows import codec_of
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.earlier import next_stages
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from support.recorded_run import Says, draw_nothing


def agents_reply(request: Request) -> Reply:
    """The reply of the scripted agent that the request names."""
    agent = request.model.removeprefix("scripted/")
    prompt = prompt_for(agent, request.system, request.user, [], request.truth)
    return Reply(AGENTS[agent](prompt), finish_reason="stop", cost_usd=0.0)


def staged_plan(out: Path, models: list[str], *stages: dict[str, Any]) -> Plan:
    """A plan of a sweep file written next to `out`."""
    keys = {"name": "staged", "models": models, "stages": list(stages), "out": str(out)}
    path = out.parent / f"{out.name}.yaml"
    path.write_text(yaml.safe_dump(keys))
    return load_plan(str(path))


def play_stages(plan: Plan, says: Says = agents_reply) -> Plan:
    """Play every stage into the run directory; the plan with all its episodes."""
    done: set[str] = set()
    while True:
        _play(plan, says, done)
        done |= {spec.episode_id for spec in plan.episodes}
        if plan.begun == len(plan.stages):
            return plan
        plan = next_stages(plan)


def _play(plan: Plan, says: Says, done: set[str]) -> None:
    async def ask(request: Request, asked: Asked) -> Entry:
        return asked.answered(request, says(request))

    async def play_all() -> None:
        schemas = {name: family.schemas for name, family in FAMILIES.items()}
        recorder = Recorder(plan.sweep.out, schemas, SealBounds(episodes=10_000))
        for spec in plan.episodes:
            if spec.episode_id not in done:
                family = FAMILIES[spec.cell.family]
                finished = await rollout(
                    family, spec, sweep=plan.sweep.name, prefix=(), draw=draw_nothing, ask=ask
                )
                await recorder.finish(codec_of(family.name).write(finished))
        await recorder.close()

    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        about = {"versions": {}, "cpu": None, "gl": None}
        run_dir.describe("by hand", {KEY: protocols_of_cells(plan.cells), **about})
        asyncio.run(play_all())
