"""A Simulator: one GL context and many episodes in flight; it renders while models think. Ray runs
it as an actor; the class itself is plain."""

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from ray import get_actor, get_runtime_context
from ray.exceptions import RayActorError

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import LostError, MirrorRayError
from mirror_ray.core.types import Request, View
from mirror_ray.engine.actor_calls import RETRY_PAUSES_S, Actor, retry_until_restarted
from mirror_ray.engine.batching import BatchingQueue
from mirror_ray.engine.episode_rows import codec_of, written_episode
from mirror_ray.engine.pending import start_task
from mirror_ray.engine.provider.actor import Provider, ProviderConfig
from mirror_ray.engine.rollout import Asked, DrawnPicture, Stopped, one_line, rollout
from mirror_ray.engine.simulator.messages import (
    Completed,
    EndedLease,
    EpisodeResult,
    Lease,
    RenderEnvironment,
    SimulatorStats,
)
from mirror_ray.engine.simulator.picture_cache import PictureCache
from mirror_ray.engine.simulator.render_thread import DrawingStats, LastResort, RenderThread
from mirror_ray.providers.price_tiers import in_cell
from mirror_ray.records.environment import cpu_model
from mirror_ray.records.journal.entry import Entry
from mirror_ray.world.opengl.device_choice import NO_GPU

if TYPE_CHECKING:
    from mirror_ray.world.renderer import Renderer

DRAW_LIMIT_S = 30.0
LAST_RESORT_S = 45.0
"""Longer than the time limit, whose error message says more."""

EXIT_HUNG = 70
EXIT_DELAY_S = 1.0

KEEPING_LINGER_S = 0.25
"""How long a played episode waits for others, to be made durable together."""

ENDS_LINGER_S = 0.05
"""How long the end of an episode waits for others, so that they are reported together."""


class Simulator:
    """One process that plays episodes.

    Args:
        sweep: the sweep's name, for the rows.
        config: settings of every Provider. The embedded one calls offline agents, which cost less
            than a message to another process.
        providers: names of the actors that call hosted models; an episode always uses the same one.
        draws: whether episodes show pictures; a text-only sweep needs no OpenGL.
        picture_cache_bytes: bound of the cache of drawn pictures; None: the default.
    """

    def __init__(
        self,
        index: int,
        sweep: str,
        config: ProviderConfig,
        providers: Sequence[str],
        *,
        draws: bool = True,
        picture_cache_bytes: int | None = None,
    ) -> None:
        self._sweep = sweep
        self._models, self._tiers = config.models, config.tiers
        self._agents = Provider(index, config, lambda: self._playing, KEEPING_LINGER_S)
        self._providers = {name: get_actor(name) for name in providers}
        self._recorder = get_actor(config.recorder)
        self._life = uuid4().hex
        self._playing = 0
        self._results: BatchingQueue[EndedLease] = BatchingQueue(
            lambda: self._playing, linger_s=ENDS_LINGER_S
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._draws = draws
        self._pictures = PictureCache(picture_cache_bytes)
        self._opening: asyncio.Task[tuple[RenderThread, Renderer]] | None = None
        self._draining = False
        self._asks = 0

    async def ready(self) -> RenderEnvironment:
        """Open the GL context if pictures are needed. Raise RenderError if GL is unusable."""
        if not self._draws:
            return RenderEnvironment(cpu_model(), None)
        _, renderer = await self._opened()
        return RenderEnvironment(cpu_model(), renderer.gl, renderer.drawn_on)

    async def exchange(self, leases: Sequence[Lease]) -> Completed:
        """Start these episodes; once some have ended, return them.

        An episode resumes from its record, and its rows are durable when it is returned. A caller
        that still waits for an earlier message gets an empty answer."""
        if leases:
            self._playing += len(leases)
            start_task(self._begin(leases), self._tasks)
        return Completed(self._life, tuple(await self._results.fetch()))

    async def _begin(self, leases: Sequence[Lease]) -> None:
        try:
            prefixes = await self._recorded([lease.spec.episode_id for lease in leases])
        except Exception as reason:
            for lease in leases:
                self._end(lease, _portable(reason))
            return
        for lease in leases:
            start_task(self._play_one(lease, prefixes.get(lease.spec.episode_id, ())), self._tasks)

    async def _play_one(self, lease: Lease, prefix: Sequence[Entry]) -> None:
        try:
            self._end(lease, await self._play(lease, prefix))
        except Exception as reason:
            self._end(lease, _portable(reason))

    def _end(self, lease: Lease, outcome: EpisodeResult | Exception) -> None:
        self._playing -= 1
        self._results.put(EndedLease(lease.spec.episode_id, outcome))

    async def _play(self, lease: Lease, prefix: Sequence[Entry]) -> EpisodeResult:
        spec = lease.spec
        family = FAMILIES[spec.cell.family]
        closed_scope: str | None = None

        async def ask(request: Request, asked: Asked) -> Entry:
            nonlocal closed_scope
            if self._draining:
                raise Stopped
            standing = await self._ask(request, asked)
            if standing is None:
                raise Stopped
            closed_scope = standing.reply.closed_scope
            # A request that could not be paid for was not sent.
            self._asks += standing.reply.attempts > 0
            return standing

        try:
            finished = await rollout(
                family, spec, sweep=self._sweep, prefix=prefix, draw=self._draw, ask=ask
            )
        except Stopped:
            return EpisodeResult(None, None)
        finished, kept = written_episode(codec_of(family.name), finished)
        row = finished.episode
        partners_usd = {name: finished.usd_of(name) for name in spec.cell.others}
        n_asks = 0 if prefix else len(finished.steps)
        del finished  # its written rows would fill the memory
        await self._agents.recorder_client.finish(kept)
        return EpisodeResult(
            row["error_kind"], row["error"], row["cost_usd"], closed_scope, partners_usd, n_asks
        )

    async def drain(self) -> None:
        """Stop every episode before its next request; requests in flight are still answered."""
        self._draining = True

    async def stats(self) -> SimulatorStats:
        """Return counters since the process began."""
        opened = self._opening is not None and self._opening.done()
        drawing = (await self._render_thread()).stats() if opened else DrawingStats()
        _, model_counters = await self._agents.stats()
        return SimulatorStats(self._asks, drawing, resident_mib(), model_counters)

    async def _draw(self, view: View) -> DrawnPicture:
        return await (await self._render_thread()).draw(view)

    async def _ask(self, request: Request, asked: Asked) -> Entry | None:
        """Call the episode's Provider; after its death, first look for a recorded reply. Return
        None if the request was not sent because the run is stopping."""
        if self._models[request.model].is_offline:
            return await self._agents.ask(request, asked)
        provider = self._provider_of(request)
        for pause_s in RETRY_PAUSES_S:
            try:
                standing: Entry | None = await provider.ask.remote(request, asked)
            except RayActorError:
                await asyncio.sleep(pause_s)
                recorded = await self._recorded([request.episode_id])
                for entry in recorded[request.episode_id]:
                    if entry.ask_index == request.ask_index:
                        return entry
            else:
                return standing
        raise LostError("a Provider died again and again; see the log of its process")

    def _provider_of(self, request: Request) -> Actor:
        model = in_cell(self._models[request.model], request.cell_id, self._tiers)
        if model.tier == "batch":
            return next(iter(self._providers.values()))
        of = request.episode_id
        chosen = max(self._providers, key=lambda name: sha256(f"{name} {of}".encode()).digest())
        return self._providers[chosen]

    async def _recorded(self, episode_ids: Sequence[str]) -> Mapping[str, tuple[Entry, ...]]:
        recorded: Mapping[str, tuple[Entry, ...]] = await retry_until_restarted(
            self._recorder.prefixes, "reading recorded replies", episode_ids
        )
        return recorded

    async def _render_thread(self) -> RenderThread:
        return (await self._opened())[0]

    async def _opened(self) -> "tuple[RenderThread, Renderer]":
        if self._opening is None:
            self._opening = asyncio.create_task(_open_render_thread(self._pictures))
        return await asyncio.shield(self._opening)


def _portable(reason: Exception) -> Exception:
    cause = getattr(reason, "cause", None) or reason
    return cause if isinstance(cause, MirrorRayError) else RuntimeError(one_line(cause))


def resident_mib() -> float:
    """Return this process's resident memory in MiB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def exit_hung(reason: str) -> None:
    """Exit this process soon, because a hung driver cannot be unwound; episodes report the
    reason."""
    print(f"Simulator {os.getpid()}: {reason}", file=sys.stderr, flush=True)
    asyncio.get_running_loop().call_later(EXIT_DELAY_S, os._exit, EXIT_HUNG)


async def _open_render_thread(pictures: PictureCache) -> "tuple[RenderThread, Renderer]":
    from mirror_ray.world.opengl.context import choose_backend  # noqa: PLC0415
    from mirror_ray.world.opengl.encode import encode  # noqa: PLC0415

    # MuJoCo binds its GL backend when it is imported.
    choose_backend()
    from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

    gpu_id = next(iter(get_runtime_context().get_accelerator_ids()["GPU"]), NO_GPU)
    made: list[Renderer] = []

    def make_renderer() -> Renderer:
        made.append(Renderer(gpu_id))
        return made[0]

    render_thread = RenderThread(
        make_renderer,
        encode,
        limit_s=DRAW_LIMIT_S,
        on_hang=exit_hung,
        cache=pictures,
        last_resort=LastResort(LAST_RESORT_S),
    )
    await render_thread.open()
    return render_thread, made[0]
