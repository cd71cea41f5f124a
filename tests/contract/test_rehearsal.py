"""The agents of `mirror-ray mock` reply by the prompt alone: a hosted model gets no truth."""

import asyncio

import pytest

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.cli.mock import agents_of
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.rollout import Asked, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.sweep.load import load_plan
from support.recorded_run import draw_nothing

# Agents of the families that draw are given what a hosted model gets, here as everywhere.
SWEEPS = ("metacog", "metacog_staircase", "ablations/metacog_judge", "textmirror")


@pytest.mark.parametrize("sweep", SWEEPS)
def test_every_cell_of_a_shipped_sweep_can_be_rehearsed(sweep: str) -> None:
    plan = load_plan(sweep)
    (agent,) = agents_of(plan)
    first = {spec.cell.cell_id: spec for spec in reversed(plan.episodes)}
    conditions = {(spec.cell.condition, spec.cell.axes): spec for spec in first.values()}
    refused, asked_of = [], set()

    async def ask(request: Request, asked: Asked) -> Entry:
        asked_of.add(request.episode_id)
        pictures = [image.data for image in request.images]
        prompt = prompt_for(agent, request.system, request.user, pictures)
        try:
            text = AGENTS[agent](prompt)
        except UnfamiliarPromptError as error:
            refused.append(f"{request.user[:200]}: {error}")
            text = ""
        return asked.answered(request, Reply(text, finish_reason="stop"))

    for spec in conditions.values():
        asyncio.run(
            rollout(
                FAMILIES[spec.cell.family], spec, sweep="s", prefix=(), draw=draw_nothing, ask=ask
            )
        )
    assert not refused
    assert len(asked_of) == len(conditions)
