"""A Simulator: one GL context, many episodes under way, rendering while models think.

Knows how to play what it is handed; does not know the plan or the other Simulators. Ray runs it
as an actor; the class itself is plain.
"""

import asyncio
import os
import sys
from collections.abc import Coroutine, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from ray import get_actor
from ray.exceptions import RayActorError

from mirror_ray.engine.calls import PAUSES_S, Actor, insist
from mirror_ray.engine.drawing import DrawingStats, Easel
from mirror_ray.engine.order import Lease
from mirror_ray.engine.outbox import Outbox
from mirror_ray.engine.played import Brought, Ended, Played, SimulatorStats, Surroundings
from mirror_ray.engine.provider import Provider, Terms
from mirror_ray.engine.rollout import Asked, Picture, Stopped, one_line, rollout
from mirror_ray.engine.rows import form_of, without_family_columns
from mirror_ray.errors import LostError, MirrorRayError, RecordError
from mirror_ray.records.entry import Entry
from mirror_ray.records.environment import cpu_model
from mirror_ray.records.form import Form
from mirror_ray.tasks import FAMILIES
from mirror_ray.tasks.family import Family
from mirror_ray.types import Request, View
from mirror_ray.world.gl import GlInfo

DRAW_LIMIT_S = 30.0
EXIT_HUNG = 70
LAST_WORDS_S = 1.0

KEEPING_LINGER_S = 0.25
"""How long a played episode waits for others to be made durable with it."""

ENDS_LINGER_S = 0.05
"""How long the end of an episode waits for others, and the next episode for its place."""


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
        self._agents = Provider(index, terms, lambda: self._playing, KEEPING_LINGER_S)
        self._providers = {name: get_actor(name) for name in providers}
        self._recorder = get_actor(terms.recorder)
        self._life = uuid4().hex
        self._playing = 0
        self._outbox: Outbox[Ended] = Outbox(lambda: self._playing, linger_s=ENDS_LINGER_S)
        self._tasks: set[asyncio.Task[None]] = set()
        self._forms: dict[str, Form] = {}
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

    async def exchange(self, leases: Sequence[Lease]) -> Brought:
        """Begins to play these, and brings what has ended, once there is some.

        An episode goes on from its record, and its rows are durable when it is brought. Whoever
        waits for the answer to an earlier message gets an empty one.
        """
        if leases:
            self._playing += len(leases)
            self._start(self._begin(leases))
        return Brought(self._life, tuple(await self._outbox.fetch()))

    async def _begin(self, leases: Sequence[Lease]) -> None:
        try:
            prefixes = await self._recorded([lease.spec.episode_id for lease in leases])
        except Exception as reason:
            for lease in leases:
                self._end(lease, _told(reason))
            return
        for lease in leases:
            self._start(self._play_one(lease, prefixes.get(lease.spec.episode_id, ())))

    async def _play_one(self, lease: Lease, prefix: Sequence[Entry]) -> None:
        try:
            self._end(lease, await self._play(lease, prefix))
        except Exception as reason:
            self._end(lease, _told(reason))

    def _end(self, lease: Lease, outcome: Played | Exception) -> None:
        self._playing -= 1
        self._outbox.put(Ended(lease.spec.episode_id, outcome))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, lease: Lease, prefix: Sequence[Entry]) -> Played:
        spec = lease.spec
        family = FAMILIES[spec.cell.family]
        spent_scope: str | None = None

        async def ask(request: Request, asked: Asked) -> Entry:
            nonlocal spent_scope
            if self._draining:
                raise Stopped
            standing = await self._ask(request, asked)
            spent_scope = standing.reply.spent_scope
            self._asks += 1
            return standing

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
        form = self._form_of(family)
        try:
            written = form.write(finished)
        except RecordError as slip:
            finished = without_family_columns(family, finished, one_line(slip))
            written = form.write(finished)
        row = finished.episode
        del finished  # its asks' rows, which are written now, would fill the memory meanwhile
        await self._agents.scribe.finish(written)
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

    async def _ask(self, request: Request, asked: Asked) -> Entry:
        """Asks the episode's Provider; after its death, first looks what it had recorded."""
        if self._models[request.model].backend == "scripted":
            return await self._agents.ask(request, asked)
        provider = self._provider_of(request.episode_id)
        for pause_s in PAUSES_S:
            try:
                standing: Entry = await provider.ask.remote(request, asked)
            except RayActorError:
                await asyncio.sleep(pause_s)
                recorded = await self._recorded([request.episode_id])
                for entry in recorded[request.episode_id]:
                    if entry.ask_index == request.ask_index:
                        return entry
            else:
                return standing
        raise LostError("a Provider died again and again; see the log of its process")

    def _provider_of(self, episode_id: str) -> Actor:
        """The same one always, and with a further Provider still the same for most episodes."""
        chosen = max(
            self._providers, key=lambda name: sha256(f"{name} {episode_id}".encode()).digest()
        )
        return self._providers[chosen]

    def _form_of(self, family: Family) -> Form:
        if family.name not in self._forms:
            self._forms[family.name] = form_of(family)
        return self._forms[family.name]

    async def _recorded(self, episode_ids: Sequence[str]) -> Mapping[str, tuple[Entry, ...]]:
        recorded: Mapping[str, tuple[Entry, ...]] = await insist(
            lambda: self._recorder.prefixes.remote(episode_ids), "reading recorded replies"
        )
        return recorded

    async def _easel(self) -> Easel:
        return (await self._opened())[0]

    async def _opened(self) -> tuple[Easel, GlInfo]:
        if self._opening is None:
            self._opening = asyncio.create_task(_open_easel())
        return await asyncio.shield(self._opening)


def _told(reason: Exception) -> Exception:
    """An error as another process can read it."""
    cause = getattr(reason, "cause", None) or reason
    return cause if isinstance(cause, MirrorRayError) else RuntimeError(one_line(cause))


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
