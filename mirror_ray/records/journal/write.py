"""Writes an entry into the journal, and then determines which entry counts."""

from dataclasses import dataclass

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import RecordError
from mirror_ray.records.journal.charges import check_usd
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.entry import Entry, WrittenEntry, read_entry, write_entry


@dataclass(frozen=True, slots=True)
class Write:
    """One entry to write. `written` is None if its episode has ended; then only its cost counts."""

    entry: Entry
    written: WrittenEntry | None

    @classmethod
    def of(cls, entry: Entry, *, has_ended: bool) -> "Write":
        """Return an entry's written form. Raise RecordError for unfit facts or an invalid cost."""
        check_usd(entry.reply.cost_usd or 0.0, entry.reply.presumed_usd)
        return cls(entry, None if has_ended else write_entry(entry))

    def into(self, journal: Journal, asker: str) -> WrittenEntry | None:
        """Write the entry within a transaction; return the entry that counts."""
        entry, reply = self.entry, self.entry.reply
        journal.charges.settle(entry.episode_id, entry.ask_index, asker)
        if reply.error_kind in FINAL_KINDS:
            journal.batches.answered(entry.episode_id, entry.ask_index)
        if self.written is not None:
            return journal.add(self.written, reply.cost_usd, reply.presumed_usd)
        journal.charges.spend(
            {entry.episode_id: reply.cost_usd or 0.0}, {entry.episode_id: reply.presumed_usd}
        )
        return None

    def outcome(self, standing: WrittenEntry | RecordError | None) -> Entry | RecordError | None:
        """Return the result for the entry's owner; None if the entry itself counts."""
        if standing is self.written or standing is None or isinstance(standing, RecordError):
            return standing if isinstance(standing, RecordError) else None
        if standing.prompt_sha != self.entry.prompt_sha:
            ask, episode_id = self.entry.ask_index, self.entry.episode_id
            return RecordError(f"ask {ask} of episode {episode_id} is recorded with other words")
        return read_entry(standing)
