"""A run directory without Ray or GL that is played in parts, as by a killed and resumed run."""

import asyncio
from dataclasses import replace

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.engine.episode_rows import codec_of
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Stopped, rollout
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.plan import Plan
from support.recorded_run import draw_nothing
from support.selfid_by_hand import says

SELFID = FAMILIES["selfid"]


def play(plan: Plan, *, stop_at: int | None = None, in_a_shard: int = 2) -> None:
    """Play a plan, resuming what is there; at an episode's number stop after one recorded reply."""

    async def play_all() -> None:
        recorder = Recorder(
            plan.sweep.out, {"selfid": SELFID.schemas}, SealBounds(episodes=in_a_shard)
        )
        ids = [spec.episode_id for spec in plan.episodes]
        known = await recorder.prefixes(ids)
        for number, spec in enumerate(plan.episodes):
            if number == stop_at:
                break
            entries = known.get(spec.episode_id) or ()
            asked = []

            async def ask(request, asked_of, asked=asked, number=number):
                if stop_at is not None and number == stop_at - 1 and asked:
                    raise Stopped
                asked.append(request)
                reply = replace(says("wad"[len(asked) % 3]), cost_usd=0.25)
                return await recorder.record(asked_of.answered(request, reply))

            try:
                finished = await rollout(
                    SELFID, spec, sweep="recorded", prefix=entries, draw=draw_nothing, ask=ask
                )
            except Stopped:
                continue
            await recorder.finish(codec_of("selfid").write(finished))
        await recorder.close()

    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        facts = {"versions": {}, "cpu": None, "gl": None, "models": {}}
        run_dir.describe("by hand", {KEY: protocols_of_cells(plan.cells), **facts})
        asyncio.run(play_all())
