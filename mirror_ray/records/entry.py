"""One ask of an episode with its reply, and its written form in the journal.

Knows which fields are recorded, bit-exact; does not know SQLite, nor when a reply is durable.
"""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from mirror_ray.errors import RecordError
from mirror_ray.types import FINAL_KINDS, Attempt, Facts, Observation, Reply, Turn

_NOT_RECORDED = frozenset({"presumed_usd", "quota", "spent_scope"})
_REPLY_FIELDS = tuple(field.name for field in fields(Reply) if field.name not in _NOT_RECORDED)


@dataclass(frozen=True, slots=True)
class Entry:
    """One ask of an episode as it happened: what was asked, what was seen, what was answered."""

    episode_id: str
    ask_index: int
    prompt_sha: str
    frame_sha: str | None
    facts: Facts
    reply: Reply

    @property
    def turn(self) -> Turn:
        """What the episode received, without the images' bytes."""
        return Turn(Observation((), self.frame_sha, self.facts), self.reply)


class Written(NamedTuple):
    """An `Entry` as the journal stores it."""

    episode_id: str
    ask_index: int
    prompt_sha: str
    frame_sha: str | None
    facts: str
    reply: str
    final: bool


def write_entry(entry: Entry) -> Written:
    """`entry` as it is stored, bit-exact floats and lone surrogates included.

    Raises:
        RecordError: the facts are not plain JSON data.
    """
    try:
        facts = json.dumps(dict(entry.facts), separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise RecordError(
            f"facts of ask {entry.ask_index} of episode {entry.episode_id}: {error}; "
            "they must be plain numbers, texts, lists and mappings"
        ) from error
    return Written(
        entry.episode_id,
        entry.ask_index,
        entry.prompt_sha,
        entry.frame_sha,
        facts,
        json.dumps(_plain(entry.reply), separators=(",", ":")),
        entry.reply.error_kind in FINAL_KINDS,
    )


def read_entry(written: Written) -> Entry:
    """The entry that `write_entry` wrote."""
    return Entry(
        written.episode_id,
        written.ask_index,
        written.prompt_sha,
        written.frame_sha,
        json.loads(written.facts),
        _reply_of(json.loads(written.reply)),
    )


def _plain(reply: Reply) -> dict[str, Any]:
    """What of a reply is recorded, as plain data."""
    plain = {name: getattr(reply, name) for name in _REPLY_FIELDS}
    plain["failed_attempts"] = [asdict(attempt) for attempt in reply.failed_attempts]
    return plain


def _reply_of(plain: dict[str, Any]) -> Reply:
    failed = tuple(Attempt(**attempt) for attempt in plain.pop("failed_attempts", ()))
    return Reply(**plain, failed_attempts=failed)
