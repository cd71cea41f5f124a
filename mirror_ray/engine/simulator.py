"""A Simulator: one GL context, many episodes under way, rendering while models think.

Knows how to play what it is handed; does not know the plan or the other Simulators. Ray runs it
as an actor; the class itself is plain.
"""

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ray import get_actor
from ray.exceptions import RayActorError

from mirror_ray.engine.calls import PAUSES_S, Actor, insist
from mirror_ray.engine.drawing import DrawingStats, Easel
from mirror_ray.engine.order import Lease
from mirror_ray.engine.provider import ModelTally, Provider, Terms
from mirror_ray.engine.rollout import Asked, Picture, Stopped, one_line, rollout
from mirror_ray.engine.rows import without_family_columns
from mirror_ray.errors import LostError, RecordError
from mirror_ray.records.entry import Entry
from mirror_ray.records.environment import cpu_model
from mirror_ray.records.finished import FinishedEpisode
from mirror_ray.tasks import FAMILIES
from mirror_ray.types import Reply, Request, View
from mirror_ray.world.gl import GlInfo

DRAW_LIMIT_S = 30.0
EXIT_HUNG = 70
LAST_WORDS_S = 1.0

AGENTS_LINGER_S = 0.25
"""An offline agent's reply costs less than the message that makes it durable."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a lease.

    Args:
        error_kind: how the episode ended; None when it was stopped before its end.
        cost_usd: of the whole episode, earlier runs included; None where part of it is unknown.
        spent_scope: whose budget would not pay for its next call, where that ended it.
    """

    error_kind: str | None
    error: str | None
    cost_usd: float | None = None
    spent_scope: str | None = None


@dataclass(frozen=True, slots=True)
class SimulatorStats:
    """A Simulator's state: what its process has done since it began, and its resident memory.

    Args:
        asks: asks answered live.
        tallies: model → what its own Provider was asked.
    """

    pid: int
    asks: int
    drawing: DrawingStats
    resident_mib: float
    tallies: Mapping[str, ModelTally]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the frames of a process may depend on.

    Args:
        cpu: the processor's name; None where the system does not say.
        gl: who draws; None where nothing is to be drawn.
    """

    cpu: str | None
    gl: GlInfo | None


class Simulator:
    """One process that plays episodes.

    Args:
        index: its number.
        sweep: the sweep's name, for the rows.
        terms: what holds for every Provider, the one in here too. Offline agents are asked in
            here: they cost less than a message to another process.
        providers: names of the actors that ask hosted models; an episode goes to the same one
            always.
        draws: whether it will have to; a sweep of words alone needs no OpenGL.
    """

    def __init__(
        self, index: int, sweep: str, terms: Terms, providers: Sequence[str], *, draws: bool = True
    ) -> None:
        self._sweep = sweep
        self._models = terms.models
        self._agents = Provider(index, terms, lambda: self._playing, AGENTS_LINGER_S)
        self._providers = {name: get_actor(name) for name in providers}
        self._recorder = get_actor(terms.recorder)
        self._playing = 0
        self._draws = draws
        self._opening: asyncio.Task[tuple[Easel, GlInfo]] | None = None
        self._draining = False
        self._asks = 0

    async def ready(self) -> Surroundings:
        """Opens the GL context, if it is to draw, unless it is open.

        Raises:
            RenderError: there is no usable GL here.
        """
        gl = (await self._opened())[1] if self._draws else None
        return Surroundings(cpu_model(), gl)

    async def play(self, lease: Lease) -> Played:
        """Plays an episode from its record on, and makes its rows durable.

        Raises:
            RenderError: there is no usable GL here.
            EngineError: the graphics driver hangs, or another actor does not come back.
        """
        spec = lease.spec
        family = FAMILIES[spec.cell.family]
        prefix = await self._recorded(spec.episode_id)
        spent_scope: str | None = None

        async def ask(request: Request, asked: Asked) -> Reply:
            nonlocal spent_scope
            if self._draining:
                raise Stopped
            reply = await self._ask(request, asked)
            spent_scope = reply.spent_scope
            self._asks += 1
            return reply

        self._playing += 1
        try:
            finished = await rollout(
                family,
                spec,
                sweep=self._sweep,
                prefix=prefix,
                draw=self._draw,
                ask=ask,
            )
        except Stopped:
            return Played(None, None)
        finally:
            self._playing -= 1
        try:
            await self._finish(finished)
        except RecordError as slip:
            finished = without_family_columns(family, finished, one_line(slip))
            await self._finish(finished)
        row = finished.episode
        return Played(row["error_kind"], row["error"], row["cost_usd"], spent_scope)

    async def drain(self) -> None:
        """Stops every episode before its next ask; asks under way are still answered."""
        self._draining = True

    async def stats(self) -> SimulatorStats:
        """Counters since the process began."""
        opened = self._opening is not None and self._opening.done()
        drawing = (await self._easel()).stats() if opened else DrawingStats(0, 0.0, 0.0)
        tallies = await self._agents.stats()
        return SimulatorStats(os.getpid(), self._asks, drawing, resident_mib(), tallies)

    async def _draw(self, view: View) -> Picture:
        return await (await self._easel()).draw(view)

    async def _ask(self, request: Request, asked: Asked) -> Reply:
        """Asks the episode's Provider; after its death, first looks what it had recorded."""
        if self._models[request.model].backend == "scripted":
            return await self._agents.reply(request, asked)
        provider = self._provider_of(request.episode_id)
        for pause_s in PAUSES_S:
            try:
                reply: Reply = await provider.reply.remote(request, asked)
            except RayActorError:
                await asyncio.sleep(pause_s)
                for entry in await self._recorded(request.episode_id):
                    if entry.ask_index == request.ask_index:
                        return entry.reply
            else:
                return reply
        raise LostError("a Provider died again and again; see the log of its process")

    def _provider_of(self, episode_id: str) -> Actor:
        """The same one always, and with a further Provider still the same for most episodes."""
        chosen = max(
            self._providers, key=lambda name: sha256(f"{name} {episode_id}".encode()).digest()
        )
        return self._providers[chosen]

    async def _finish(self, finished: FinishedEpisode) -> None:
        await insist(lambda: self._recorder.finish.remote(finished), "keeping an episode's rows")

    async def _recorded(self, episode_id: str) -> tuple[Entry, ...]:
        entries: Mapping[str, tuple[Entry, ...]] = await insist(
            lambda: self._recorder.prefixes.remote([episode_id]), "reading recorded replies"
        )
        return entries.get(episode_id, ())

    async def _easel(self) -> Easel:
        return (await self._opened())[0]

    async def _opened(self) -> tuple[Easel, GlInfo]:
        if self._opening is None:
            self._opening = asyncio.create_task(_open_easel())
        return await asyncio.shield(self._opening)


def resident_mib() -> float:
    """This process's resident memory in MiB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def die_of_hanging(reason: str) -> None:
    """Ends this process soon: a hung graphics driver cannot be unwound, only replaced.

    The episodes under way have a moment to tell the driver why.
    """
    print(f"Simulator {os.getpid()}: {reason}", file=sys.stderr, flush=True)
    asyncio.get_running_loop().call_later(LAST_WORDS_S, os._exit, EXIT_HUNG)


async def _open_easel() -> tuple[Easel, GlInfo]:
    from mirror_ray.world.encode import encode  # noqa: PLC0415
    from mirror_ray.world.gl import choose_backend  # noqa: PLC0415

    # MuJoCo binds its GL backend when it is imported.
    choose_backend()
    from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

    gl: list[GlInfo] = []

    def make_renderer() -> Renderer:
        renderer = Renderer()
        gl.append(renderer.gl)
        return renderer

    easel = Easel(make_renderer, encode, limit_s=DRAW_LIMIT_S, on_hang=die_of_hanging)
    await easel.open()
    return easel, gl[0]
