"""The Recorder makes every reply and finished episode durable before it is acted upon."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import MirrorRayError, RecordError, RunDirError
from mirror_ray.engine.recorder.sealer import Sealer
from mirror_ray.records.journal.batch_notes import Batch
from mirror_ray.records.journal.charges import ChargeTotals, Overrun, PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.entry import Entry, WrittenEntry, read_entry
from mirror_ray.records.journal.group_commit import GroupCommit
from mirror_ray.records.journal.replica import JournalReplica
from mirror_ray.records.journal.replica_store import ReplicaStore
from mirror_ray.records.journal.write import Write
from mirror_ray.records.lock import PREDECESSOR_S, RECORDER_LOCK, Lock
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import Backlog, Sealable, WrittenEpisode
from mirror_ray.records.run_log import lost_costs
from mirror_ray.records.shards.sealing import SealBounds, Sealing
from mirror_ray.records.shards.shard_index import shared_end
from mirror_ray.records.storage import home_of

_Standing: TypeAlias = WrittenEntry | RecordError | None


@dataclass(frozen=True, slots=True)
class RecorderStats:
    """Counts of this Recorder, and the costs of the run directory since its creation.

    Args:
        replies: recorded by this Recorder, in `commits` transactions.
        finished: episodes finished by this Recorder.
        unsealed: finished episodes that are only in the journal.
        spent_usd: all known costs, earlier runs included.
    """

    replies: int
    commits: int
    finished: int
    unsealed: int
    spent_usd: float


class Recorder:
    """The one writer of a run directory's journal and shards.

    Opening it repairs what a crash left behind: it prunes sealed episodes from the journal, seals
    finished ones, and removes temporary files and shards without a marker.

    Args:
        out: the run directory's path or address.
        schemas: family → (schema of its steps' rows, schema of its episodes' rows).
        home: the local folder of its journal and locks; by default that of `home_of`.
        replicate: where the journal is replicated; its `HeadLease` is this process's or that of the
            driver.

    Raises:
        RunDirError: another Recorder or head is in charge, or the journal or a shard is unusable.
    """

    def __init__(
        self,
        out: str,
        schemas: Mapping[str, tuple[pa.Schema, pa.Schema]],
        bounds: SealBounds | None = None,
        *,
        home: Path | None = None,
        replicate: str | None = None,
    ) -> None:
        home = home or home_of(out)
        self._lock = Lock(home / RECORDER_LOCK, what="its journal", wait_s=PREDECESSOR_S)
        try:
            replica = None if replicate is None else JournalReplica(ReplicaStore(replicate, out))
            self._journal = GroupCommit(str(home / JOURNAL_NAME), replica)
        except RunDirError:
            self._lock.close()
            raise
        bounds = bounds or SealBounds()
        sealing = Sealing(out, self._journal, bounds)
        self._sealer = Sealer(sealing, self._journal, bounds)
        self._replies = self._finished = 0
        try:
            self._codecs = self._form_ids(schemas)
            self._ended = sealing.put_right()
            at_most_usd = self._journal.run(lambda journal: journal.charges.at_most_usd())
        except MirrorRayError:
            self._close_all()
            raise
        if lost := lost_costs(home, at_most_usd):
            print(f"mirror-ray: {out}: {lost}", file=sys.stderr)
        # The latest takes that are not committed yet.
        self._takes: dict[str, int] = {}

    async def record(self, entry: Entry, asker: str = "") -> Entry:
        """Record a reply durably, and return the entry that counts for this request.

        The first final reply of a request counts, and the caller continues with it. The cost of a
        second one also counts, unless it is the very same reply sent again.

        Args:
            asker: the client for which `begin` noted this request, if any; the reply settles the
                note.

        Raises:
            RecordError: the facts are not plain data, or the recorded prompt differs.
            RunDirError: the journal could not be written; nothing is kept.
        """
        (standing,) = await self.keep([entry], (), asker)
        if isinstance(standing, RecordError):
            raise standing
        return standing or entry

    async def finish(self, episode: WrittenEpisode) -> None:
        """Record a finished episode durably under its next take; one with a final end stays
        unchanged.

        Raises:
            RecordError: its family is not of this run.
            RunDirError: the journal could not be written, or an earlier batch not be sealed.
        """
        (refusal,) = await self.keep((), [episode])
        if isinstance(refusal, RecordError):
            raise refusal

    async def keep(
        self, entries: Sequence[Entry], ended: Sequence[WrittenEpisode], asker: str = ""
    ) -> list[Entry | RecordError | None]:
        """Do `record` and `finish` in one transaction; each item is kept or refused alone.

        Returns:
            For each entry, then for each end: None if it counts itself, the entry that counts
                instead, or why it cannot be kept.

        Raises:
            RunDirError: as they do; nothing is kept.
        """
        if ended:
            self._sealer.raise_error()
        outcomes: list[Entry | RecordError | None] = [None] * (len(entries) + len(ended))
        writes: list[tuple[int, Write]] = []
        for place, entry in enumerate(entries):
            try:
                has_ended = self._is_final(entry.episode_id)
                writes.append((place, Write.of(entry, has_ended=has_ended)))
            except RecordError as error:
                outcomes[place] = error
        ends: list[tuple[int, tuple[int, Sealable]]] = []
        for place, end in enumerate(ended, start=len(entries)):
            try:
                if not self._is_final(end.episode_id):
                    ends.append((place, self._next_take(end)))
            except RecordError as error:
                outcomes[place] = error

        def write(journal: Journal) -> tuple[list[_Standing], list[RecordError | None], Backlog]:
            standing = [journal.alone(partial(one.into, journal, asker)) for _, one in writes]
            kept = [journal.alone(partial(journal.ended.finish, *end)) for _, end in ends]
            return standing, kept, journal.ended.backlog() if ends else self._sealer.backlog

        standing, kept, backlog = await self._journal.submit(write)
        for (place, one), stands in zip(writes, standing, strict=True):
            outcomes[place] = one.outcome(stands)
            self._replies += one.written is not None
        for (place, (_, sealable)), refusal in zip(ends, kept, strict=True):
            outcomes[place] = refusal
            if refusal is None:
                self._finished += 1
                self._ended[sealable.episode_id] = shared_end(sealable.take, sealable.error_kind)
                if self._takes.get(sealable.episode_id) == sealable.take:
                    del self._takes[sealable.episode_id]
        if ends:
            self._sealer.grown(backlog)
        return outcomes

    async def finished(self, episode_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
        """Return (take, error_kind) of each of these episodes that ended durably, by id.

        Called before an episode is leased again after a worker's death: its end may have been
        recorded, and its replies pruned, before the driver knew."""
        return {
            episode_id: self._ended[episode_id]
            for episode_id in episode_ids
            if episode_id in self._ended
        }

    async def prefixes(self, episode_ids: Sequence[str]) -> dict[str, tuple[Entry, ...]]:
        """Return each episode's entries up to the first that is missing or not final.

        A sealed episode with a final end has none: see `finished`."""
        found = await self._journal.submit(lambda journal: journal.prefixes(episode_ids))
        return {
            episode_id: tuple(map(read_entry, written)) for episode_id, written in found.items()
        }

    async def claim_calls(self, key: str, day: int, calls: int) -> None:
        """Note durably that up to `calls` calls of a key may be made on day number `day`."""
        await self._journal.submit(lambda journal: journal.claim_calls(key, day, calls))

    async def claimed_calls(self, days: Mapping[str, int]) -> dict[str, int]:
        """Return how many calls of its day each key may have made."""
        return await self._journal.submit(lambda journal: journal.claimed_calls(days))

    async def seal(self) -> None:
        """Seal all finished episodes. If that raises RunDirError, they stay in the journal."""
        await self._sealer.seal()

    async def stats(self) -> RecorderStats:
        """Return counters; cheap enough to be called once a second."""
        return RecorderStats(
            replies=self._replies,
            commits=self._journal.commits,
            finished=self._finished,
            unsealed=self._sealer.backlog.episodes,
            spent_usd=await self._journal.submit(lambda journal: journal.charges.spent_usd()),
        )

    async def ledger(self) -> dict[str, float]:
        """Return the known costs in USD of each episode's replies, superseded ones included."""
        return await self._journal.submit(lambda journal: journal.charges.ledger())

    async def sums(self) -> ChargeTotals:
        """Return what budgets need: spending, and what other calls may have cost or may still
        cost."""
        return await self._journal.submit(lambda journal: journal.charges.sums())

    async def begin(self, asks: Sequence[PendingCall]) -> None:
        """Note requests before they are sent; a reply that is never recorded counts in full."""
        await self._journal.submit(lambda journal: journal.charges.begin(asks))

    async def overrun(self, calls: Sequence[Overrun]) -> None:
        """Note calls that cost more than was reserved, because others of their model may, too."""
        await self._journal.submit(lambda journal: journal.charges.overrun(calls))

    async def highest_usd(self) -> dict[str, float]:
        """Return the highest cost in USD that `overrun` noted for a call of each model."""
        return await self._journal.submit(lambda journal: journal.charges.highest_usd())

    async def write_off_pending(self) -> None:
        """Write off the pending calls of dead processes at the most that they may have cost."""

        def write_off(journal: Journal) -> None:
            journal.batches.hand_on()
            journal.charges.write_off_pending()

        await self._journal.submit(write_off)

    async def note_batch(self, batch: Batch) -> None:
        """Note the state of a batch of requests durably."""
        await self._journal.submit(lambda journal: journal.batches.note(batch))

    async def batches(self) -> list[Batch]:
        """Return the batches with requests whose replies are not recorded."""
        return await self._journal.submit(lambda journal: journal.batches.unanswered())

    async def close(self) -> None:
        """Seal, then release the run directory; the Recorder cannot be used afterwards."""
        try:
            await self.seal()
        finally:
            self._close_all()

    def _form_ids(self, schemas: Mapping[str, tuple[pa.Schema, pa.Schema]]) -> dict[str, int]:
        packed = {family: RowCodec(family, *its).packed for family, its in schemas.items()}
        return self._journal.run(
            lambda journal: {name: journal.ended.form_id(codec) for name, codec in packed.items()}
        )

    def _next_take(self, episode: WrittenEpisode) -> tuple[int, Sealable]:
        episode_id = episode.episode_id
        if episode.family not in self._codecs:
            raise RecordError(f"episode {episode_id}: unknown family {episode.family!r}")
        ended, _ = self._ended.get(episode_id, (0, ""))
        take = self._takes[episode_id] = self._takes.get(episode_id, ended) + 1
        return self._codecs[episode.family], Sealable(
            episode_id, take, episode.error_kind, episode.rows
        )

    def _is_final(self, episode_id: str) -> bool:
        end = self._ended.get(episode_id)
        return end is not None and end[1] in FINAL_KINDS

    def _close_all(self) -> None:
        self._sealer.close()
        self._journal.close()
        self._lock.close()
