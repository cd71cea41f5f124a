"""A run directory while it is written: by the real Recorder, an episode at a time, without Ray."""

import asyncio
from collections.abc import Awaitable, Callable
from time import sleep

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import Request
from mirror_ray.engine.episode_rows import codec_of
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.plan import Plan
from mirror_ray.viewer.live_state import LiveReader, LiveState
from support.recorded_run import Says, draw_nothing


def in_progress(
    plan: Plan, do: Callable[[Recorder], Awaitable[None]], *, seal_after: int = 100
) -> None:
    """Begins the run, does something with its Recorder, and ends it."""

    async def begin() -> None:
        bounds = SealBounds(episodes=seal_after)
        names = {spec.cell.family for spec in plan.episodes}
        schemas = {name: FAMILIES[name].schemas for name in names}
        recorder = Recorder(plan.sweep.out, schemas, bounds)
        try:
            await do(recorder)
        finally:
            await recorder.close()

    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        facts = {"versions": {}, "cpu": None, "gl": None}
        run_dir.describe("by hand", {KEY: protocols_of_cells(plan.cells), **facts})
        asyncio.run(begin())


async def play(
    plan: Plan, says: Says, recorder: Recorder, number: int, most_asks: int = 99
) -> None:
    """One episode, to its end or to its last recorded ask."""

    # An episode takes any other for a failure of its own.
    class EnoughError(BaseException):
        pass

    async def ask(request: Request, asked: Asked) -> Entry:
        if request.ask_index > most_asks:
            raise EnoughError
        return await recorder.record(asked.answered(request, says(request)))

    spec = plan.episodes[number]
    family = FAMILIES[spec.cell.family]
    try:
        finished = await rollout(
            family, spec, sweep=plan.sweep.name, prefix=(), draw=draw_nothing, ask=ask
        )
    except EnoughError:
        return
    await recorder.finish(codec_of(family.name).write(finished))


def with_verdicts(reader: LiveReader) -> LiveState:
    """The state once it is known what the latest came to: a thread makes the views for it."""
    for _ in range(600):
        state = reader.state()
        if state.latest and all(row["verdict"] for row in state.latest):
            return state
        sleep(0.05)
    raise AssertionError("no verdicts")
