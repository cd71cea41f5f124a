"""The requests of one step: a reply that cannot be read is requested once more.

[Our decision] The second request is the same prompt with one more line that names the problem. If
that reply is unreadable too, the step has no decision. After an API failure the step is not asked
again; a text that came with one counts only if it can be read without repair, because repairing an
incomplete reply may invent content."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import Ask, Facts, ParseStatus, Reply, Turn
from mirror_ray.reading.parsing import Parsed

ASKS_PER_STEP = 2

_READ_AS_SENT = frozenset({"strict", "cleaned", "coerced"})

D = TypeVar("D")
_Read: TypeAlias = Callable[[Reply], tuple[Parsed[Any], D | None]]
"""A family's reader: returns how a reply was read, and the decision in it."""


@dataclass(frozen=True, slots=True)
class Heard(Generic[D]):
    """One reply and how it was read. `status` is None if there was nothing to read."""

    turn: Turn
    status: ParseStatus | None
    fixes: tuple[str, ...] = ()
    decision: D | None = None
    problem: str = ""
    error_kind: ErrorKind = "none"
    superseded: bool = False

    @property
    def counts(self) -> bool:
        """Whether the reply decided its step: it was neither requested again nor an error."""
        return self.error_kind == "none" and not self.superseded

    @property
    def columns(self) -> Facts:
        """Return the columns that say how the reply was read."""
        return {
            "parse_status": self.status,
            "parse_fixes": list(self.fixes),
            "superseded": self.superseded,
        }


def asking_again(texts: Texts) -> Callable[[str, str], str]:
    """Return a function that writes the second prompt by the text `task.reask`."""
    return lambda user, problem: texts("task.reask", user=user, problem=problem)


def asked(
    ask: Ask, read: _Read[D], reask_prompt: Callable[[str, str], str]
) -> Generator[Ask, Turn, tuple[Heard[D], ...]]:
    """Ask, and ask once more if the reply cannot be read; the last reply counts. `reask_prompt`
    returns the second prompt, given the first one and the problem with its reply."""
    first = _hear((yield ask), read)
    if first.decision is not None or first.error_kind != "none":
        return (first,)
    second = _hear((yield replace(ask, user=reask_prompt(ask.user, first.problem))), read)
    if second.decision is not None:
        fixes = (f"asked again, then {second.status}", *second.fixes)
        second = replace(second, status="reasked", fixes=fixes)
    return replace(first, superseded=True), second


def _hear(turn: Turn, read: _Read[D]) -> Heard[D]:
    parsed, decision = read(turn.reply)
    if turn.reply.error_kind != "none" and parsed.status not in _READ_AS_SENT:
        return Heard(turn, None, error_kind=turn.reply.error_kind)
    return Heard(turn, parsed.status, parsed.fixes, decision, parsed.problem or "")
