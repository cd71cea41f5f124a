"""Starts renderers as processes, lets them draw at the same time, and abandons those that hang."""

import os
import select
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from time import monotonic
from typing import IO

from mirror_ray.core.errors import RenderError
from mirror_ray.core.own_interpreter import python_command, python_environment
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.world.drawing_check.process import ANY, LIST, Drawn
from mirror_ray.world.opengl.context import kept_waiting_s
from mirror_ray.world.opengl.egl_devices import EglDevice

DEADLINE_S = 60.0
"""Deadline to be ready, and again to draw, in a process's own running time."""

ROUNDS = 25
_PROGRAM = "mirror_ray.world.drawing_check.process"
_LOOK_EVERY_S = 0.2
_KILLED_WITHIN_S = 5.0
_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Together:
    """The outcome of several renderers drawing at once. `hung` counts those that missed the
    deadline; `failed` has the messages of those that ended without drawing."""

    renderers: int
    hung: int
    failed: tuple[str, ...]
    drawn: tuple[Drawn, ...]

    @property
    def frames_per_s(self) -> float | None:
        """Frames per second of all processes together, by the slowest one's clock; None if none has
        drawn."""
        if not self.drawn:
            return None
        slowest_s = max(one.elapsed_s for one in self.drawn)
        return sum(one.frames for one in self.drawn) / slowest_s

    @property
    def digests_equal(self) -> bool | None:
        """Whether every process drew every view identically every time; None if none has drawn."""
        views = zip(*(one.digests for one in self.drawn), strict=True)
        seen = [{digest for digests in view for digest in digests} for view in views]
        return all(len(digests) == 1 for digests in seen) if seen else None


def devices_here(*, deadline_s: float = DEADLINE_S) -> tuple[EglDevice, ...]:
    """Return EGL's devices, listed by a separate process. Raise RenderError if that fails."""
    with _Process(LIST) as process:
        said = process.line(deadline_s)
        if said is None:
            raise RenderError("EGL does not list its devices", process.trouble())
    return tuple(EglDevice(**fields) for fields in parse_json(said))


def draw_together(
    device: EglDevice | None,
    renderers: int,
    *,
    rounds: int = ROUNDS,
    deadline_s: float = DEADLINE_S,
) -> Together:
    """Let this many processes draw the sample views `rounds` times at once. If `device` is None,
    MuJoCo chooses it."""
    words = (ANY if device is None else str(device.index), str(rounds))
    started = [_Process(*words) for _ in range(renderers)]
    try:
        ready = [one for one in started if one.line(deadline_s) is not None]
        for one in ready:
            one.go()
        said = [one.line(deadline_s) for one in ready]
        return Together(
            renderers,
            hung=sum(one.hung for one in started),
            failed=tuple(one.trouble() for one in started if one.is_broken),
            drawn=tuple(Drawn.read(line) for line in said if line is not None),
        )
    finally:
        for one in started:
            one.end()


class _Process:
    """A process of the check; `hung` and `is_broken` tell how it failed."""

    def __init__(self, *words: str) -> None:
        self.hung = self.is_broken = False
        self._said = b""
        self._complaints: IO[bytes] = TemporaryFile()  # noqa: SIM115 - `end` closes it
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own module
            python_command("-m", _PROGRAM, *words),
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
        )
        self._since_s, self._waited_s = monotonic(), 0.0

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def go(self) -> None:
        """Tell the process to draw; the deadline of its next line counts from now."""
        self._since_s, self._waited_s = monotonic(), kept_waiting_s(self._process.pid)
        with suppress(BrokenPipeError):
            assert self._process.stdin is not None  # noqa: S101 - a pipe was asked for
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()

    def line(self, deadline_s: float) -> str | None:
        """Return the process's next line; None if it hangs or has failed."""
        assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
        reading = self._process.stdout.fileno()
        while b"\n" not in self._said:
            if select.select([reading], [], [], _LOOK_EVERY_S)[0]:
                more = os.read(reading, _MOST_BYTES)
                self._said += more
                self.is_broken = not more or len(self._said) > _MOST_BYTES
            elif self._own_time_s() > deadline_s:
                self.hung = True
            if self.hung or self.is_broken:
                return None
        line, _, self._said = self._said.partition(b"\n")
        return line.decode()

    def trouble(self) -> str:
        """Return the last line of its error output, or a message that it hangs."""
        if self.hung:
            return "no answer within the deadline: the graphics driver hangs"
        self._complaints.seek(0)
        said = self._complaints.read(_MOST_BYTES).decode(errors="replace").strip().splitlines()
        return one_printable_line(said[-1]) if said else f"exit status {self._process.poll()}"

    def end(self) -> None:
        """Kill the process; one that hangs within the kernel is left behind."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILLED_WITHIN_S)
        for pipe in (self._process.stdin, self._process.stdout, self._complaints):
            with suppress(BrokenPipeError):
                if pipe is not None:
                    pipe.close()

    def _own_time_s(self) -> float:
        waited_s = kept_waiting_s(self._process.pid) - self._waited_s
        return monotonic() - self._since_s - waited_s


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "MUJOCO_EGL_DEVICE_ID"}
    return python_environment(kept)
