"""`run`: plays a plan into a run directory, from where the last run stopped.

Knows the order of things, from the directory's lock to the sealed shards; does not know what an
episode is, nor how its actors do their work.
"""

import asyncio
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

import yaml
from ray.exceptions import RayTaskError
from rich.console import Console

from mirror_ray.engine.accounts import free_models
from mirror_ray.engine.board import Board
from mirror_ray.engine.budget import SWEEP_SCOPE
from mirror_ray.engine.calls import insist
from mirror_ray.engine.cluster import attached, cores_here, crew_for, ray_session
from mirror_ray.engine.crew import Crew
from mirror_ray.engine.dispatch import Dispatch
from mirror_ray.engine.head import end_without_head, watch_head
from mirror_ray.engine.leases import Leases
from mirror_ray.engine.order import Order, leases_for
from mirror_ray.engine.past import Past, look_back
from mirror_ray.engine.progress import Progress
from mirror_ray.engine.summary import RunSummary, exit_code, how_to_go_on
from mirror_ray.errors import LostError, MirrorRayError
from mirror_ray.records.environment import cpu_model, versions
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.demands import draws, withheld
from mirror_ray.sweep.earlier import next_stages
from mirror_ray.sweep.plan import Plan, Stage
from mirror_ray.world.gl import GlInfo, self_test

POLL_EVERY_S = 0.7


@dataclass(slots=True)
class _Work:
    """What this run did in the stages that were known at a time."""

    plan: Plan
    past: Past
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
        EngineError: the cluster cannot be used.
        LostError: its head, all its hosts or an actor are gone for good.
    """
    began_s = monotonic()
    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir, ExitStack() as session:
        for note in run_dir.notes():
            console.print(note, soft_wrap=True)
        works = [_work(plan, ())]
        if works[0].past.left or plan.begun < len(plan.stages):
            # A cluster draws on other machines than this one.
            gl = self_test() if draws(plan) and not attached() else None
            run_dir.describe(_as_yaml(plan), _about(plan, gl))
        else:
            run_dir.renew(_as_yaml(plan))
        _play(works[0], run_dir, session, console, plain=plain)
        while _goes_on(works[-1]):
            longer = next_stages(works[-1].plan)
            console.print(_stages_reached(works[-1].plan, longer), soft_wrap=True)
            works.append(_work(longer, works))
            _play(works[-1], run_dir, session, console, plain=plain)
    last = works[-1]
    for line in how_to_go_on(last.plan, last.board, last.leases.spent):
        console.print(line, soft_wrap=True)
    return _summary(works, monotonic() - began_s)


def _work(plan: Plan, before: Sequence[_Work]) -> _Work:
    past = asyncio.run(look_back(plan, _tried(before)))
    key_of = {model.name: model.limits.key for model in plan.models.values()}
    planned = Counter(spec.cell.model for spec in plan.episodes)
    return _Work(
        plan,
        past,
        Board(planned, past.done, past.failed, key_of=key_of, paid=past.paid),
        Leases(Order(leases_for(plan.episodes, past.left), key_of), free_models(plan)),
    )


def _goes_on(work: _Work) -> bool:
    """Whether further stages may be planned: neither the user nor the sweep's money ended it."""
    stopped = work.interrupted or SWEEP_SCOPE in work.leases.spent
    return not stopped and work.plan.begun < len(work.plan.stages)


def _stages_reached(plan: Plan, longer: Plan) -> str:
    """What the plan has grown by, for a person."""
    reached = longer.stages[plan.begun : longer.begun]
    names = [name for stage in reached for name in _conditions(stage)]
    more = len(longer.episodes) - len(plan.episodes)
    return (
        f"Stage {longer.begun} of {len(longer.stages)}, {', '.join(dict.fromkeys(names))}:"
        f" {more:,} episodes follow from those before."
    )


def _conditions(stage: Stage) -> list[str]:
    return [f"{cell.family} {cell.condition}" for cell in stage.cells]


def _play(
    work: _Work, run_dir: RunDir, session: ExitStack, console: Console, *, plain: bool
) -> None:
    """Plays what is left, in a Ray session that outlives the stage."""
    plan, left = work.plan, work.past.left
    if not left:
        return
    progress = Progress(work.board, console, plain=plain)
    try:
        session.enter_context(ray_session(max(cores_here(), plan.sweep.engine.simulators or 0)))
        with crew_for(plan, len(left)) as crew, progress.shown():
            asyncio.run(_conduct(plan, crew, run_dir, work, progress))
    except KeyboardInterrupt:
        work.interrupted = True
    except RayTaskError as error:
        # Its own text is the traceback of every process that it came through.
        if isinstance(error.cause, MirrorRayError):
            raise error.cause from error
        raise


async def _conduct(
    plan: Plan, crew: Crew, run_dir: RunDir, work: _Work, progress: Progress
) -> None:
    dispatch = Dispatch(plan, crew, work.leases, work.board)
    playing = asyncio.create_task(dispatch.play_all())
    watching = asyncio.create_task(_watch(dispatch, run_dir, progress))
    head = asyncio.create_task(watch_head())
    try:
        with _interrupts(dispatch, playing, work):
            await asyncio.wait({playing, head}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done() and isinstance(lost := head.exception(), LostError):
                progress.end()
                end_without_head(lost)
            await playing
    except asyncio.CancelledError:
        if not work.interrupted:
            raise
        return
    finally:
        watching.cancel()
        head.cancel()
        work.playing_s = dispatch.playing_s
        work.simulator_mib = dispatch.resident_mib
    await dispatch.read_counters()
    _note_hosts(dispatch, run_dir)
    await insist(crew.recorder.seal.remote, "writing the shards")
    await dispatch.dismiss()


async def _watch(dispatch: Dispatch, run_dir: RunDir, progress: Progress) -> None:
    while True:
        await dispatch.read_counters()
        _note_hosts(dispatch, run_dir)
        progress.refresh()
        await asyncio.sleep(POLL_EVERY_S)


def _note_hosts(dispatch: Dispatch, run_dir: RunDir) -> None:
    """Hosts come and go: each is in the manifest once it draws."""
    run_dir.add_hosts({name: asdict(about) for name, about in dispatch.surroundings.items()})


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


def _summary(works: Sequence[_Work], wall_s: float) -> RunSummary:
    last = works[-1]
    board, budgets_spent = last.board, last.leases.spent
    planned = len(last.plan.episodes)
    mib = [work.simulator_mib for work in works if work.simulator_mib is not None]
    return RunSummary(
        out=last.plan.sweep.out,
        episodes_planned=planned,
        episodes_done=board.done,
        episodes_failed=board.failed,
        episodes_unplayed=planned - board.done - board.failed,
        episodes_resumed=planned - len(_tried(works)),
        steps=sum(work.board.steps for work in works),
        calls=sum(work.board.calls for work in works),
        cost_usd=sum(work.board.cost_usd for work in works),
        spent_usd=board.spent_usd,
        budgets_spent=budgets_spent,
        wall_s=wall_s,
        playing_s=sum(work.playing_s for work in works),
        simulator_mib=max(mib, default=None),
        exit_code=exit_code(board, interrupted=last.interrupted, budgets_spent=budgets_spent),
    )


def _tried(works: Sequence[_Work]) -> set[str]:
    """The episodes that this run has played, or was to play."""
    return {spec.episode_id for work in works for spec in work.past.left}


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
