"""`run` plays a plan into a run directory, from where the last run stopped."""

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, process_time

from ray.exceptions import RayTaskError
from rich.console import Console

from mirror_ray.core.errors import LostError, MirrorRayError
from mirror_ray.core.plain_yaml import write_yaml
from mirror_ray.core.terminal import say
from mirror_ray.engine.actor_calls import retry_until_restarted
from mirror_ray.engine.cluster.actors import RunActors
from mirror_ray.engine.cluster.session import (
    actors_for,
    attached,
    cores_here,
    ray_session,
    server_actors_for,
)
from mirror_ray.engine.cluster.session_watch import SessionWatch, end_process, session_parts
from mirror_ray.engine.driver.about_run import about_run, earlier_manifest
from mirror_ray.engine.driver.closing_lines import exit_code, gpu_words, how_to_go_on
from mirror_ray.engine.driver.events import RunEvents
from mirror_ray.engine.driver.fleet import Fleet
from mirror_ray.engine.driver.gpu_spending import gpu_spending
from mirror_ray.engine.driver.interrupts import interrupts
from mirror_ray.engine.driver.live_control import LiveControl
from mirror_ray.engine.driver.merging_at_end import merge_if_many
from mirror_ray.engine.driver.progress import Progress
from mirror_ray.engine.driver.rounds_of_run import ReadScores, Rounds, no_scores
from mirror_ray.engine.driver.run_summary import RunSummary
from mirror_ray.engine.driver.scheduler import Scheduler
from mirror_ray.engine.driver.server_log import ServerLog
from mirror_ray.engine.driver.starting import Starting
from mirror_ray.engine.driver.work import Work, asked_later, goes_on, next_work, tried, work_of
from mirror_ray.engine.simulator.messages import host_facts
from mirror_ray.records.environment import versions
from mirror_ray.records.live_counts import FEWEST_EPISODES
from mirror_ray.records.run_log import RunLog
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.served_models import SERVERS_KEY, earlier_fingerprints, earlier_gpu_s
from mirror_ray.records.versions_differ import notes_on_resume
from mirror_ray.sweep.demands import draws
from mirror_ray.sweep.growth import Joining
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.stages import is_fixed
from mirror_ray.world.opengl.context import self_test

POLL_EVERY_S, POLL_AT_LEAST_EVERY_S = 0.7, 10.0
PAUSE_PER_CPU_S = 10.0
"""Refresh less often on busy machines: computing figures of thousands of models takes a second."""


@dataclass(frozen=True, slots=True)
class _Kept:
    run_dir: RunDir
    fleet: Fleet
    control: LiveControl


def play_plan(
    plan: Plan,
    *,
    console: Console,
    plain: bool,
    read_scores: ReadScores = no_scores,
    begun: Callable[[str], object] = lambda _: None,
) -> RunSummary:
    """Play every episode of the plan without a final end, and seal it.

    The first Ctrl-C (or SIGTERM) waits until requests in flight are answered and recorded; the
    second stops at once. In both cases the same command resumes.

    Args:
        read_scores: gives the scores by which the sweep's `until` decides.
        begun: called with the run directory once its manifest is written.

    Raises:
        RunDirError: the run directory cannot be used.
        RenderError: no renderer works here.
        EngineError: the cluster cannot be used.
        LostError: its head, all its hosts or an actor are lost for good.
    """
    began_s = monotonic()
    joining = Joining(plan)
    sweep = plan.sweep
    with (
        RunDir(sweep.out, sweep.resolved, joining, replicate=sweep.replicate) as run_dir,
        ExitStack() as session,
    ):
        starting = session.enter_context(Starting(console, plain=plain))
        starting.step("Opening the run directory")
        for note in run_dir.notes():
            say(console, note)
        plan = joining.plan
        if plan.persons:
            say(
                console,
                f"{', '.join(plan.persons)}: their episodes are played with mirror-ray people.",
            )
            plan = plan.asking_no_person
        events = RunEvents(plan, RunLog(run_dir.home), _counts_in(joining.plan, run_dir.home))
        before = earlier_manifest(run_dir.out)
        spending = gpu_spending(plan, earlier_gpu_s(before))
        servers = ServerLog(earlier_fingerprints(before), spending)
        fleet = Fleet(server_actors_for(plan), servers)
        rounds = None if plan.sweep.until is None else Rounds(plan, plan.sweep.until, read_scores)
        works = [work_of(plan, (), events, rounds)]
        kept = _Kept(run_dir, fleet, LiveControl(plan, run_dir, before))
        # An empty shard is still a run, which can be joined with others.
        if works[0].resume_state.left or plan.begun < len(plan.stages) or not before:
            # In a cluster, other machines may draw.
            gl = self_test() if draws(plan) and not attached() else None
            about = {**about_run(plan, gl), **joining.about}
            for note in notes_on_resume(before, about):
                say(console, note)
            run_dir.describe(write_yaml(run_dir.sweep), about)
        else:
            run_dir.renew(write_yaml(run_dir.sweep))
        if is_fixed(joining.plan):
            run_dir.list_planned(joining.plan.episodes)
        begun(run_dir.out)
        starting.close()
        events.started({"pid": os.getpid(), "host": socket.gethostname(), "versions": versions()})
        try:
            for note in kept.control.notes:
                say(console, note)
            _play(works[0], kept, session, console, plain=plain)
            while goes_on(works[-1]):
                works.append(next_work(works, events, rounds))
                _play(works[-1], kept, session, console, plain=plain)
            _end_servers(fleet, run_dir, in_order=not works[-1].interrupted)
            if not works[-1].interrupted:
                merge_if_many(run_dir.out, partial(say, console))
        except Exception as error:
            code = error.exit_code if isinstance(error, MirrorRayError) else 1
            events.ended(works[-1].counters, code, f"{type(error).__name__}: {error}")
            raise
        works[-1].recount()
        summary = _summary(works, servers, monotonic() - began_s)
        events.ended(works[-1].counters, summary.exit_code)
    last = works[-1]
    for line in (*gpu_words(summary), *how_to_go_on(last.plan, last.counters, last.leases.spent)):
        say(console, line)
    return summary


def _counts_in(plan: Plan, home: Path) -> Path | None:
    """Return the folder for the run's own counts; None if its rows are counted quickly, or if the
    counts would lack episodes of the plan."""
    is_whole = is_fixed(plan) and not plan.persons
    return home if is_whole and len(plan.episodes) >= FEWEST_EPISODES else None


def _play(work: Work, kept: _Kept, session: ExitStack, console: Console, *, plain: bool) -> None:
    """Play what is left, in a Ray session that outlives this part, because model servers may
    outlive it."""
    for line in work.words:
        say(console, line)
    plan, left = work.plan, work.resume_state.left
    if not left:
        return
    progress = Progress(work.counters, console, plain=plain)
    kept.fleet.log.say = work.counters.say
    kept.fleet.later = asked_later(work)

    def on_loss(error: LostError) -> None:
        work.events.ended(work.counters, error.exit_code, error.where)

    try:
        with Starting(console, plain=plain) as starting:
            cores = max(cores_here(), plan.sweep.engine.simulators or 0)
            starting.step("Starting Ray and the processes of the run")
            session.enter_context(ray_session(cores, partial(say, console), on_loss))
            session.callback(kept.fleet.abandon)
            watch = SessionWatch(on_loss)
            with (
                watch.watching(session_parts()),
                actors_for(plan, len(left), kept.fleet.actors) as actors,
                starting.ended_by(progress.shown()),
            ):
                asyncio.run(_conduct(actors, watch, work, progress, kept))
    except KeyboardInterrupt:
        work.interrupted = True
    except RayTaskError as error:
        # Its message contains the traceback of every process it passed through.
        if isinstance(error.cause, MirrorRayError):
            raise error.cause from error
        raise


async def _conduct(
    actors: RunActors, watch: SessionWatch, work: Work, progress: Progress, kept: _Kept
) -> None:
    fleet, servers, control = kept.fleet, kept.fleet.log, kept.control
    scheduler = Scheduler(work.plan, actors, work.leases, work.counters, fleet)
    playing = asyncio.create_task(scheduler.play_all())
    telling = asyncio.create_task(control.keep_telling(actors.limiter))
    watching = asyncio.create_task(_watch(scheduler, work, progress, kept))
    losing = asyncio.create_task(watch.lost())
    try:
        async with AsyncExitStack() as stack:
            stop = stack.enter_context(interrupts(playing, work.stop, scheduler.drain))
            await stack.enter_async_context(control.taking(work, actors.limiter, stop))
            await asyncio.wait({playing, losing}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                lost = losing.result()
                await scheduler.wind_up(lost.wind_up_s)
                progress.end()
                work.events.ended(work.counters, lost.loss.exit_code, lost.loss.where)
                end_process(lost.loss)
            await playing
    except asyncio.CancelledError:
        if not work.interrupted:
            raise
        return
    finally:
        for task in (watching, telling, losing):
            task.cancel()
        work.playing_s = scheduler.playing_s
        work.simulator_mib = scheduler.resident_mib
    await scheduler.read_counters()
    work.events.observe(work.counters, work.leases.spent)
    _note_hosts(scheduler, kept.run_dir, servers)
    await retry_until_restarted(actors.recorder.seal, "writing the shards")
    await scheduler.dismiss()


async def _watch(scheduler: Scheduler, work: Work, progress: Progress, kept: _Kept) -> None:
    servers = kept.fleet.log
    while True:
        began_s = process_time()
        await scheduler.read_counters()
        calls_usd = {line.model: line.costs.spent_usd for line in work.counters.lines}
        for scope in servers.spending.ended(servers.gpu_s, calls_usd, kept.control.budget_usd):
            work.leases.spend(scope)
        _note_hosts(scheduler, kept.run_dir, servers)
        work.events.observe(work.counters, work.leases.spent)
        progress.refresh()
        pause_s = PAUSE_PER_CPU_S * (process_time() - began_s)
        await asyncio.sleep(min(max(pause_s, POLL_EVERY_S), POLL_AT_LEAST_EVERY_S))


def _note_hosts(scheduler: Scheduler, run_dir: RunDir, servers: ServerLog) -> None:
    if record := servers.record:
        run_dir.note(SERVERS_KEY, record)
    run_dir.add_hosts({name: host_facts(its) for name, its in scheduler.environments.items()})


def _end_servers(fleet: Fleet, run_dir: RunDir, *, in_order: bool) -> None:
    if in_order:
        asyncio.run(fleet.close())
    else:
        fleet.abandon()
    if record := fleet.log.record:
        run_dir.note(SERVERS_KEY, record)


def _summary(works: Sequence[Work], servers: ServerLog, wall_s: float) -> RunSummary:
    last = works[-1]
    gpu_s, gpus = servers.gpu_s, servers.spending
    counters, budgets_spent = last.counters, last.leases.spent
    mib = [work.simulator_mib for work in works if work.simulator_mib is not None]
    return RunSummary(
        out=last.plan.sweep.out,
        episodes_planned=len(last.plan.asked_by_a_run),
        episodes_done=counters.done,
        episodes_failed=counters.failed,
        episodes_unpaid=counters.unpaid,
        episodes_unplayed=counters.unplayed,
        episodes_settled=counters.settled,
        episodes_resumed=len(last.resume_state.ended - tried(works)),
        steps=sum(work.counters.simulators.steps for work in works),
        calls=sum(work.counters.calls for work in works),
        pictures_drawn=sum(work.counters.simulators.pictures_drawn for work in works),
        pictures_reused=sum(work.counters.simulators.pictures_reused for work in works),
        cost_usd=sum(work.counters.cost_usd for work in works),
        spent_usd=counters.spent_usd,
        run_unpriced=sum(work.counters.run_unpriced for work in works),
        n_unpriced=counters.unpriced,
        gpu_hours=(sum(gpu_s.values()) + sum(gpus.earlier_s.values())) / 3600.0,
        gpu_usd=None if gpus.unpriced(gpu_s) else sum(gpus.usd(gpu_s).values()),
        budgets_spent=budgets_spent,
        wall_s=wall_s,
        playing_s=sum(work.playing_s for work in works),
        simulator_mib=max(mib, default=None),
        exit_code=exit_code(counters, interrupted=last.interrupted, budgets_spent=budgets_spent),
    )
