"""A run directory without Ray or GL: episodes played by `rollout`, kept by the real Recorder.

A model's reply is a function of the ask, so that the same run can be made twice.
"""

import asyncio
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from mirror_ray.contract.family import Family
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import Image, Reply, Request
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked, DrawnPicture, DrawView, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.world.room.view import EyeView
from support.shard_names import without_marks

Says = Callable[[Request], Reply]


def plan_for(
    out: Path, *, conditions: Sequence[str] = ("E1",), runs: int = 3, **stage: Any
) -> Plan:
    """A plan of a sweep file written next to `out`, as `mirror-ray run` would load it."""
    keys = {
        "name": "recorded",
        "models": ["scripted/blind"],
        "stages": [
            {
                "family": "selfid",
                "conditions": list(conditions),
                "seeds": 1,
                "runs": runs,
                "temperature": [0.2],
                "max_steps": 4,
                **stage,
            }
        ],
        "out": str(out),
    }
    path = out.parent / f"{out.name}.yaml"
    path.write_text(yaml.safe_dump(keys))
    return load_plan(str(path))


async def draw_nothing(view: EyeView) -> DrawnPicture:
    """A picture of one pixel with facts that depend on the view."""
    seen = int(sha256(repr(view).encode()).hexdigest()[:4], 16)
    counts = [seen] * len(view.scene.cubes)
    facts = {"mirror_px": seen, "ego_reflection_px": seen // 2, "cube_px": counts}
    return DrawnPicture(Image(b"", "png", 1, 1, f"{seen:064x}"), facts)


def record_run(
    plan: Plan,
    says: Says,
    *,
    draw: DrawView = draw_nothing,
    family: Family = FAMILIES["selfid"],
    about: dict[str, Any] | None = None,
    in_a_shard: int = 2,
) -> None:
    """Play the whole plan into its run directory, so many episodes to a shard, which tests can
    name."""
    schemas = {family.name: family.schemas}
    codec = RowCodec(family.name, *family.schemas)

    async def ask(request: Request, asked: Asked) -> Entry:
        return asked.answered(request, says(request))

    async def play_all() -> None:
        recorder = Recorder(plan.sweep.out, schemas, SealBounds(episodes=in_a_shard))
        for spec in plan.episodes:
            finished = await rollout(
                family, spec, sweep=plan.sweep.name, prefix=(), draw=draw, ask=ask
            )
            await recorder.finish(codec.write(finished))
        await recorder.close()

    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        facts = about or {"versions": {}, "cpu": None, "gl": None}
        run_dir.describe("by hand", {KEY: protocols_of_cells(plan.cells), **facts})
        asyncio.run(play_all())
    without_marks(plan.sweep.out)
