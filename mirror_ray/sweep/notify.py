"""Who is notified of a run, and about what; not part of a sweep's identity, and never recorded."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from mirror_ray.core.errors import SweepError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.sweep.interpolation import steps_of

Event: TypeAlias = Literal["finished", "stopped", "budget", "failures", "unreachable"]
EVENTS: tuple[Event, ...] = get_args(Event)

COMMAND_VARIABLE, WEBHOOK_VARIABLE = "MIRROR_RAY_NOTIFY_COMMAND", "MIRROR_RAY_NOTIFY_WEBHOOK"

_SET_COMMAND = (("notify",), ("notify", "command"))
"""Keys of overrides that set the command."""

FAILURES_ABOVE = 0.1
_MOST_CHARS = 10_000


@dataclass(frozen=True, slots=True)
class Notify:
    """Where notifications go.

    Args:
        command: the words of a command, which no shell reads; () for none.
        webhook: an address that gets them as JSON; None for none. It may be a secret.
        on: the events.
        failures_above: share of episodes that ended with an error, above which `failures` is sent.
    """

    command: tuple[str, ...] = ()
    webhook: str | None = None
    on: tuple[Event, ...] = EVENTS
    failures_above: float = FAILURES_ABOVE

    @property
    def in_words(self) -> str:
        """Return the whole command, the webhook's host (its path may be secret) and the events."""
        command = one_printable_line(shlex.join(self.command), _MOST_CHARS)
        whom = [f"the command {command}"] if self.command else []
        if self.webhook is not None:
            whom.append(f"a webhook at {one_printable_line(urlsplit(self.webhook).hostname or '')}")
        return f"{' and '.join(whom)}, of {', '.join(self.on)}"

    def __repr__(self) -> str:
        return f"Notify(on={self.on})"


def notify_of(
    command: Sequence[str] | None,
    webhook: str | None,
    on: Sequence[Event],
    failures_above: float,
    *,
    environ: Mapping[str, str],
    where: str,
    overrides: Sequence[str],
) -> Notify | None:
    """Combine the sweep's keys with the environment; None if nobody is notified.

    A sweep file may be somebody else's, so a command in it is not run. A command comes from the
    command line, or from the environment.

    Raises:
        SweepError: a command from the file; a webhook that is not a plain address.
    """
    if command and not any(_key(one) in _SET_COMMAND for one in overrides):
        raise SweepError(
            f"{where}: notify.command",
            repr(list(command)),
            "a command given on the command line or in the environment",
            f"run SWEEP 'notify.command=[{command[0]}]', or export {COMMAND_VARIABLE}=…",
        )
    words = tuple(command or _words(environ.get(COMMAND_VARIABLE, "")))
    address = webhook or environ.get(WEBHOOK_VARIABLE) or None
    if address is not None and not _is_address(address):
        # The address is not quoted, because it may be secret.
        raise SweepError(
            f"{where}: notify.webhook" if webhook else f"environment: {WEBHOOK_VARIABLE}",
            "no address of a web server",
            "http://HOST/… or https://HOST/…",
            "correct the address",
        )
    return Notify(words, address, tuple(on), failures_above) if words or address else None


def kept_overrides(overrides: Sequence[str]) -> tuple[str, ...]:
    """Return the overrides that may be recorded, because an address to notify may be secret."""
    return tuple(one for one in overrides if _key(one)[:1] != ("notify",))


def _key(override: str) -> tuple[str, ...]:
    return tuple(steps_of(override.partition("=")[0]))


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise SweepError(
            f"environment: {COMMAND_VARIABLE}",
            str(error),
            "words, quoted as in a shell",
            "quote it",
        ) from error


def _is_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
