"""Watches the Ray session: its head, and the raylet of this host.

Ray itself waits a minute for a lost head, and then ends this process with its own message and exit
code; it notices a lost raylet even later."""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import NoReturn, TypeAlias

import ray
from ray.thirdparty_files import psutil

from mirror_ray.core.errors import LostError
from mirror_ray.core.untrusted import printable
from mirror_ray.engine.cluster.fate_sharing import has_ended

KNOCK_EVERY_S = 0.5
ANSWERS_WITHIN_S = 5.0
ENOUGH = 4
SILENCE, REFUSAL = 1, 2
"""A part is lost once the weights of failed probes in a row sum to `ENOUGH`. A refused connection
weighs more than silence, which a busy host may cause."""

WIND_UP_S = 35.0
"""The actors of a lost head run for about a minute more and can reach each other. In this time,
calls in flight are answered and recorded, and the records are closed."""

LAST_WORDS_S = 2.0

RAYS_OWN = ("gcs_server", "raylet")
CHILD_POLL_S = 0.05
RAY_SAYS_SO_WITHIN_S = 15.0
"""Ray ends processes that are late, and raises soon after; then the start is tried again."""

OnLoss: TypeAlias = Callable[[LostError], object]
"""Called with the loss before this process ends, to log it."""


@dataclass(frozen=True, slots=True)
class SessionPart:
    """A process that the session needs; the run's actors can work without it for `wind_up_s`."""

    name: str
    host: str
    port: int
    wind_up_s: float = 0.0

    @property
    def loss(self) -> LostError:
        """The error that reports the loss of this part."""
        return LostError(
            f"{self.name} ({self.host}:{self.port}) is lost",
            "no answer to several calls in a row",
            "a head, and a raylet on this host, that live as long as the run",
            "run the same command again, on a new session: it resumes from what is recorded",
        )

    def knock(self) -> int:
        """Return 0 if the part answers, else the weight of the failure."""
        try:
            socket.create_connection((self.host, self.port), ANSWERS_WITHIN_S).close()
        except ConnectionRefusedError:
            return REFUSAL
        except OSError:
            return SILENCE
        return 0


class SessionWatch:
    """Probes each part in its own thread, since Ray's calls may block this process."""

    def __init__(self, on_loss: OnLoss = lambda _: None) -> None:
        self._on_loss = on_loss
        self._over = Event()
        self._tell: Callable[[SessionPart], object] | None = None

    @contextmanager
    def watching(self, parts: Iterable[SessionPart]) -> Iterator[None]:
        """While the block runs, end this process as soon as a part is lost. If the loss causes an
        error in the block, the loss is raised instead.

        An error that the block raises because of the loss is replaced by the loss."""
        watched = []
        try:
            for part in parts:
                watched.append(part)
                Thread(target=self._watch, args=(part,), name="session", daemon=True).start()
            yield
        except Exception:
            for part in watched:
                if part.knock() == REFUSAL:
                    end_process(part.loss, self._on_loss)
            raise
        finally:
            self._over.set()

    async def lost(self) -> SessionPart:
        """Wait for the first loss of a part; this process has to end within the part's
        `wind_up_s`."""
        loop = asyncio.get_running_loop()
        lost: asyncio.Future[SessionPart] = loop.create_future()
        self._tell = lambda part: loop.call_soon_threadsafe(_resolve, lost, part)
        try:
            return await lost
        finally:
            self._tell = None

    def _watch(self, part: SessionPart) -> None:
        in_vain = 0
        while in_vain < ENOUGH:
            if self._over.wait(KNOCK_EVERY_S):
                return
            counts = part.knock()
            in_vain = in_vain + counts if counts else 0
        tell = self._tell
        if tell is not None:
            # The loop may have ended just now.
            with suppress(RuntimeError):
                tell(part)
            self._over.wait(part.wind_up_s + LAST_WORDS_S)
        if not self._over.is_set():
            end_process(part.loss, self._on_loss)


def session_parts() -> Iterator[SessionPart]:
    """Return the parts of this process's session."""
    context = ray.get_runtime_context()
    host, _, port = str(context.gcs_address).rpartition(":")
    yield SessionPart("the head of the Ray session", host.strip("[]"), int(port), WIND_UP_S)
    for node in ray.nodes():  # type: ignore[no-untyped-call]
        if node["NodeID"] == context.get_node_id():
            yield SessionPart(
                "this host's raylet", node["NodeManagerAddress"], node["NodeManagerPort"]
            )


def _resolve(lost: "asyncio.Future[SessionPart]", part: SessionPart) -> None:
    if not lost.done():
        lost.set_result(part)


@contextmanager
def coming_up(on_loss: OnLoss = lambda _: None) -> Iterator[None]:
    """While the block starts a session, end this process if a process of the session dies, for
    which Ray would wait half a minute."""
    over = Event()
    before = frozenset(child.pid for child in psutil.Process().children())  # type: ignore[no-untyped-call]
    for name in RAYS_OWN:
        words = (name, before, over, on_loss)
        Thread(target=_watch_child, args=words, name="session", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _watch_child(name: str, before: Set[int], over: Event, on_loss: OnLoss) -> None:
    while (child := _child(name, before)) is None:
        if over.wait(CHILD_POLL_S):
            return
    while not over.is_set():
        if has_ended(child, CHILD_POLL_S) and not over.wait(RAY_SAYS_SO_WITHIN_S):
            end_process(
                LostError(
                    f"Ray does not come up on this machine: its {name} has died;"
                    " run the same command again"
                ),
                on_loss,
            )
    os.close(child)


def _child(name: str, before: Set[int]) -> int | None:
    """Return the pidfd of a child of this process; None without a child, or without pidfds."""
    for child in psutil.Process().children():  # type: ignore[no-untyped-call]
        with suppress(psutil.Error, OSError):
            if (
                child.pid not in before
                and child.name() == name
                and child.status() != psutil.STATUS_ZOMBIE
            ):
                return os.pidfd_open(child.pid)
    return None


def end_process(error: LostError, on_loss: OnLoss = lambda _: None) -> NoReturn:
    """Print the reason and end this process at once, because cleanup would wait for the lost part.
    Its actors end with it; what they recorded is durable."""
    print(printable(f"mirror-ray: {error}"), file=sys.stderr, flush=True)
    # For example on a full disk. The process ends all the same.
    with suppress(Exception):
        on_loss(error)
    os._exit(LostError.exit_code)
