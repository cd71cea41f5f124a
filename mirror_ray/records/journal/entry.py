"""One request of an episode with its reply, and its written form in the journal, bit-exact."""

import json
from dataclasses import asdict, dataclass, fields
from typing import NamedTuple

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import RecordError
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import Attempt, Facts, Observation, Reply, Turn
from mirror_ray.core.untrusted import text_or_none

_PARTNER_KEY = "beside"
"""The key in a recorded reply of the model that was called, if not the episode's own."""

_NOT_RECORDED = frozenset({"presumed_usd", "quota", "closed_scope"})
_REPLY_FIELDS = tuple(field.name for field in fields(Reply) if field.name not in _NOT_RECORDED)
_ATTEMPT_FIELDS = tuple(field.name for field in fields(Attempt))

_UNREADABLE = (ValueError, TypeError, AttributeError, RecursionError)
"""The exceptions for text that is not JSON, or JSON of another form."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One request of an episode as it happened: the prompt, the pictures' facts, the reply.
    `partner` is the model that was called, if it is not the episode's own."""

    episode_id: str
    ask_index: int
    prompt_sha: str
    frame_sha: str | None
    facts: Facts
    reply: Reply
    partner: str | None = None

    @property
    def turn(self) -> Turn:
        """Return the turn that the episode received, without the images' bytes."""
        return Turn(Observation((), self.frame_sha, self.facts), self.reply)


class WrittenEntry(NamedTuple):
    """An `Entry` as the journal stores it."""

    episode_id: str
    ask_index: int
    prompt_sha: str
    frame_sha: str | None
    facts: str
    reply: str
    final: bool


def write_entry(entry: Entry) -> WrittenEntry:
    """Return `entry` as it is stored, with bit-exact floats and lone surrogates. Raises RecordError
    if the facts or the reply are not plain JSON data."""
    plain = {name: getattr(entry.reply, name) for name in _REPLY_FIELDS}
    plain["failed_attempts"] = [asdict(attempt) for attempt in entry.reply.failed_attempts]
    plain |= {} if entry.partner is None else {_PARTNER_KEY: entry.partner}
    try:
        facts = json.dumps(dict(entry.facts), separators=(",", ":"))
        reply = json.dumps(plain, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(
            f"facts and reply of request {entry.ask_index} of episode {entry.episode_id}: {error}; "
            "they must be plain numbers, texts, lists and mappings"
        ) from error
    return WrittenEntry(
        entry.episode_id,
        entry.ask_index,
        entry.prompt_sha,
        entry.frame_sha,
        facts,
        reply,
        entry.reply.error_kind in FINAL_KINDS,
    )


def read_entry(written: WrittenEntry) -> Entry:
    """Return the entry that `write_entry` wrote, without parts of the reply that fit no column. An
    unreadable reply counts as failed, so that it affects only its own episode."""
    try:
        facts = dict(parse_json(written.facts))
    except _UNREADABLE:
        facts = {}
    reply = reply_of_written(written.reply)
    return Entry(
        written.episode_id,
        written.ask_index,
        written.prompt_sha,
        text_or_none(written.frame_sha),
        facts,
        reply,
        recorded_partner(written.reply),
    )


def recorded_partner(text: str) -> str | None:
    """Return the model of a written reply, if it is a partner of the episode's own model."""
    if f'"{_PARTNER_KEY}":' not in text:
        return None
    try:
        return text_or_none(parse_json(text).get(_PARTNER_KEY)) or None
    except _UNREADABLE:
        return None


def reply_of_written(text: str) -> Reply:
    """Return the reply of a `WrittenEntry`."""
    try:
        plain = parse_json(text)
        failed = tuple(
            Attempt(**{name: attempt.get(name) for name in _ATTEMPT_FIELDS})
            for attempt in plain.get("failed_attempts") or ()
        )
        known = {name: plain[name] for name in _REPLY_FIELDS if name in plain}
        return Reply(**{"text": None, **known, "failed_attempts": failed})
    except _UNREADABLE as error:
        return Reply("", error_kind="internal", error=f"the recorded reply is unreadable: {error}")
