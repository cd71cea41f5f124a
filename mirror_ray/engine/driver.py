"""`run`: plays a plan into a run directory, from where the last run stopped.

Knows the order of things, from the directory's lock to the sealed shards; does not know what an
episode is, nor how its actors do their work.
"""

import asyncio
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import ceil
from time import monotonic
from typing import Any

import yaml
from ray.exceptions import RayTaskError
from rich.console import Console

from mirror_ray.engine.board import Board
from mirror_ray.engine.calls import insist
from mirror_ray.engine.cluster import (
    Crew,
    cores_here,
    cores_of_cluster,
    crew_for,
    ray_session,
    row_schemas,
)
from mirror_ray.engine.dispatch import Dispatch
from mirror_ray.engine.leases import Lease, Leases
from mirror_ray.engine.progress import Progress
from mirror_ray.engine.recorder import Recorder
from mirror_ray.errors import MirrorRayError
from mirror_ray.records.environment import cpu_model, versions
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.demands import withheld
from mirror_ray.sweep.plan import Plan
from mirror_ray.types import FINAL_KINDS, EpisodeSpec
from mirror_ray.world.gl import GlInfo, self_test

POLL_EVERY_S = 0.7

EXIT_DONE, EXIT_FAILED, EXIT_BUDGET, EXIT_INTERRUPTED = 0, 1, 3, 130


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run came to.

    Args:
        episodes_planned: of the whole plan; each is done, failed or unplayed.
        episodes_done: ended well, in this run or an earlier one.
        episodes_unplayed: stopped before their end or not begun; the same command goes on.
        episodes_resumed: had come to a final end in earlier runs.
        steps: asks answered live in this run; `calls`: attempts that took.
        cost_usd: known costs of this run.
        wall_s: the whole run; `playing_s` from the first lease to the last episode's end.
        simulator_mib: the largest Simulator's resident memory; None where none was started.
        exit_code: 0 done, 1 finished with failed episodes, 3 budget reached, 130 interrupted.
    """

    out: str
    episodes_planned: int
    episodes_done: int
    episodes_failed: int
    episodes_unplayed: int
    episodes_resumed: int
    steps: int
    calls: int
    cost_usd: float
    wall_s: float
    playing_s: float
    simulator_mib: float | None
    exit_code: int


@dataclass(frozen=True, slots=True)
class _Past:
    """What the run directory already holds: what is left, and model → ends that stand."""

    left: tuple[EpisodeSpec, ...]
    done: Counter[str]
    failed: Counter[str]
    spent_usd: float


@dataclass(slots=True)
class _Work:
    """What this run did."""

    board: Board
    leases: Leases
    interrupted: bool = False
    playing_s: float = 0.0
    simulator_mib: float | None = None


def run(plan: Plan, *, console: Console, plain: bool) -> RunSummary:
    """Plays whatever of the plan has not come to a final end yet, and seals it.

    The first Ctrl-C (or SIGTERM) lets asks under way be answered and recorded, then stops; the
    second stops at once. Either way the same call goes on from there.

    Args:
        console: where progress is shown.
        plain: lines instead of a live display.

    Raises:
        RunDirError: the run directory cannot be used.
        RenderError: nothing here can draw.
        EngineError: the actors do not stay alive.
    """
    began_s = monotonic()
    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        for note in run_dir.notes():
            console.print(note, soft_wrap=True)
        past = asyncio.run(_look_back(plan))
        planned = Counter(spec.cell.model for spec in plan.episodes)
        board = Board(planned, past.done, past.failed)
        work = _Work(board, Leases([Lease(spec) for spec in past.left]))
        if past.left:
            # A cluster draws on other machines than this one.
            gl = None if "RAY_ADDRESS" in os.environ else self_test()
            run_dir.describe(_as_yaml(plan), _about(plan, gl))
            try:
                _play(plan, past, work, Progress(board, console, plain=plain))
            except KeyboardInterrupt:
                work.interrupted = True
            except RayTaskError as error:
                # Its own text is the traceback of every process that it came through.
                if isinstance(error.cause, MirrorRayError):
                    raise error.cause from error
                raise
    summary = _summary(plan, past, work, monotonic() - began_s)
    if summary.episodes_unplayed:
        console.print(f"{summary.episodes_unplayed:,} episodes are left: the same command goes on.")
    return summary


async def _look_back(plan: Plan) -> _Past:
    """Opens the records, which also puts right what a crash has left."""
    recorder = Recorder(plan.sweep.out, row_schemas(plan))
    try:
        ids = [spec.episode_id for spec in plan.episodes]
        ends = await recorder.finished(ids)
        spent_usd = (await recorder.stats()).spent_usd
    finally:
        await recorder.close()
    final = {ended: kind for ended, (_, kind) in ends.items() if kind in FINAL_KINDS}
    done, failed = Counter[str](), Counter[str]()
    left = []
    for spec, episode_id in zip(plan.episodes, ids, strict=True):
        if episode_id not in final:
            left.append(spec)
        elif final[episode_id] == "none":
            done[spec.cell.model] += 1
        else:
            failed[spec.cell.model] += 1
    return _Past(tuple(left), done, failed, spent_usd)


def _play(plan: Plan, past: _Past, work: _Work, progress: Progress) -> None:
    engine = plan.sweep.engine
    with ray_session(max(cores_here(), engine.simulators or 0)):
        n_simulators = min(engine.simulators or cores_of_cluster(), len(past.left))
        # No more seats than episodes: the first Simulator to be ready would take them all.
        in_flight = min(engine.in_flight, ceil(len(past.left) / n_simulators))
        with crew_for(plan, n_simulators) as crew, progress.shown():
            asyncio.run(_conduct(plan.sweep.name, crew, in_flight, work, progress))


async def _conduct(sweep: str, crew: Crew, in_flight: int, work: _Work, progress: Progress) -> None:
    dispatch = Dispatch(sweep, crew, work.leases, work.board, in_flight)
    playing = asyncio.create_task(dispatch.play_all())
    watching = asyncio.create_task(_watch(dispatch, progress))
    try:
        with _interrupts(dispatch, playing, work):
            await playing
    except asyncio.CancelledError:
        if not work.interrupted:
            raise
        return
    finally:
        watching.cancel()
        work.playing_s = dispatch.playing_s
        work.simulator_mib = dispatch.resident_mib
    await dispatch.read_counters()
    await insist(crew.recorder.seal.remote, "writing the shards")
    await dispatch.dismiss()


async def _watch(dispatch: Dispatch, progress: Progress) -> None:
    while True:
        await dispatch.read_counters()
        progress.refresh()
        await asyncio.sleep(POLL_EVERY_S)


@contextmanager
def _interrupts(dispatch: Dispatch, playing: asyncio.Task[None], work: _Work) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop the run: gently at first, at once when they are repeated."""
    loop = asyncio.get_running_loop()
    draining: list[asyncio.Task[None]] = []

    def stop() -> None:
        work.interrupted = True
        if draining:
            playing.cancel()
            return
        work.board.say("Stopping once the asks under way are answered; Ctrl-C again: at once.")
        draining.append(asyncio.create_task(dispatch.drain()))

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}
    for number in signals:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


def _summary(plan: Plan, past: _Past, work: _Work, wall_s: float) -> RunSummary:
    board = work.board
    budget_spent = any(line.errors.get("budget") for line in board.lines)
    planned = len(plan.episodes)
    unplayed = planned - board.done - board.failed
    if work.interrupted:
        exit_code = EXIT_INTERRUPTED
    elif budget_spent:
        exit_code = EXIT_BUDGET
    else:
        exit_code = EXIT_FAILED if board.failed or unplayed else EXIT_DONE
    return RunSummary(
        out=plan.sweep.out,
        episodes_planned=planned,
        episodes_done=board.done,
        episodes_failed=board.failed,
        episodes_unplayed=unplayed,
        episodes_resumed=planned - len(past.left),
        steps=board.steps,
        calls=board.calls,
        cost_usd=board.cost_usd,
        wall_s=wall_s,
        playing_s=work.playing_s,
        simulator_mib=work.simulator_mib,
        exit_code=exit_code,
    )


def _as_yaml(plan: Plan) -> str:
    return str(yaml.safe_dump(dict(plan.sweep.resolved), sort_keys=False, allow_unicode=True))


def _about(plan: Plan, gl: GlInfo | None) -> dict[str, Any]:
    """This run's facts for the manifest; keys are named there, never told."""
    return {
        "versions": versions(),
        "cpu": cpu_model(),
        "gl": None if gl is None else asdict(gl),
        "models": {name: asdict(model) for name, model in plan.models.items()},
        "withheld": withheld(plan),
    }
