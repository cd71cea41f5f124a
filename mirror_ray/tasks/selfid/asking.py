"""The asks of one step: a reply that cannot be read is asked for once more.

[Our decision] The second ask is the same prompt with one more line that names the problem. If that
reply is unreadable too, the step has no decision. After an API failure the step is not asked again;
a text that came with one counts only if it could be read without repair, since repairing an
incomplete reply may produce something never said.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

from mirror_ray.tasks.selfid.conditions import Condition
from mirror_ray.tasks.selfid.prompts import reask_prompt
from mirror_ray.tasks.selfid.reply import Decision, read_reply
from mirror_ray.types import Ask, ErrorKind, ParseStatus, Turn

ASKS_PER_STEP = 2

_READ_AS_SENT = frozenset({"strict", "cleaned", "coerced"})


@dataclass(frozen=True, slots=True)
class Heard:
    """One ask's reply and how it was read; `status` is None where there was nothing to read."""

    turn: Turn
    status: ParseStatus | None
    fixes: tuple[str, ...] = ()
    decision: Decision | None = None
    problem: str = ""
    error_kind: ErrorKind = "none"
    superseded: bool = False


def asked(ask: Ask, condition: Condition) -> Generator[Ask, Turn, tuple[Heard, ...]]:
    """Asks, and asks once more if the reply cannot be read; the last reply counts."""
    first = _hear((yield ask), condition)
    if first.decision is not None or first.error_kind != "none":
        return (first,)
    again = yield replace(ask, user=reask_prompt(ask.user, first.problem))
    second = _hear(again, condition)
    if second.decision is not None:
        fixes = (f"asked again, then {second.status}", *second.fixes)
        second = replace(second, status="reasked", fixes=fixes)
    return replace(first, superseded=True), second


def _hear(turn: Turn, condition: Condition) -> Heard:
    parsed, decision = read_reply(turn.reply, condition)
    if turn.reply.error_kind != "none" and parsed.status not in _READ_AS_SENT:
        return Heard(turn, None, error_kind=turn.reply.error_kind)
    return Heard(turn, parsed.status, parsed.fixes, decision, parsed.problem or "")
