"""The Recorder: every reply and finished episode passes here, durable before anyone acts on it.

Knows which reply and which end stand; does not know Ray, the plan, any family's columns, nor when
and how a batch is sealed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from mirror_ray.engine.sealer import Sealer
from mirror_ray.errors import RecordError, RunDirError
from mirror_ray.records.entry import Entry, Written, read_entry, write_entry
from mirror_ray.records.finished import WrittenEpisode
from mirror_ray.records.form import Form
from mirror_ray.records.group_commit import GroupCommit
from mirror_ray.records.journal import JOURNAL_NAME, Backlog, Journal, PackedForm, Sealable
from mirror_ray.records.lock import Lock
from mirror_ray.records.money import Begun, Sums
from mirror_ray.records.sealing import SealBounds, Sealing
from mirror_ray.records.storage import home_of
from mirror_ray.types import FINAL_KINDS

PREDECESSOR_S = 60.0
"""How long a Recorder waits for the one of a run that has just been killed: it goes within seconds,
on a cluster that has lost its head within a minute. Nobody alive holds the run's lock meanwhile."""


@dataclass(frozen=True, slots=True)
class RecorderStats:
    """What this Recorder has done, and what the run directory has cost since it was made.

    Args:
        replies: recorded by this Recorder; `commits` transactions served them.
        finished: episodes finished by this Recorder.
        unsealed: finished episodes that are in the journal only.
        spent_usd: all known costs, earlier runs included.
    """

    replies: int
    commits: int
    finished: int
    unsealed: int
    spent_usd: float


@dataclass(frozen=True, slots=True)
class _Write:
    """An entry on its way into the journal.

    Args:
        written: None where its episode has come to a final end: then its cost alone counts.
    """

    entry: Entry
    written: Written | None

    def into(self, journal: Journal, asker: str) -> Written | None:
        """The entry that stands; within a transaction."""
        entry, reply = self.entry, self.entry.reply
        journal.money.come_back(entry.episode_id, entry.ask_index, asker)
        if self.written is not None:
            return journal.add(self.written, reply.cost_usd, reply.presumed_usd)
        journal.money.spend(
            {entry.episode_id: reply.cost_usd or 0.0}, {entry.episode_id: reply.presumed_usd}
        )
        return None

    def outcome(self, standing: Written | None) -> Entry | RecordError | None:
        """What the entry's owner hears; None where it stands itself."""
        if standing is self.written or standing is None:
            return None
        if standing.prompt_sha != self.entry.prompt_sha:
            ask, episode_id = self.entry.ask_index, self.entry.episode_id
            return RecordError(f"ask {ask} of episode {episode_id} is recorded with other words")
        return read_entry(standing)


class Recorder:
    """The one writer of a run directory's journal and shards.

    Opening it puts right whatever a crash has left: sealed episodes are pruned from the journal,
    finished ones sealed, temporary files and shards without a marker removed.

    Args:
        out: the run directory's path or address.
        schemas: family → (schema of its steps' rows, schema of its episodes' rows).
        home: where its journal and locks are, on this machine's disk; it exists. By default
            where `home_of` says here, which may differ in a process of another environment.

    Raises:
        RunDirError: another Recorder is alive, or the journal or a shard is unusable.
    """

    def __init__(
        self,
        out: str,
        schemas: Mapping[str, tuple[pa.Schema, pa.Schema]],
        bounds: SealBounds | None = None,
        *,
        home: Path | None = None,
    ) -> None:
        home = home or home_of(out)
        self._lock = Lock(home / ".recorder.lock", what="its journal", wait_s=PREDECESSOR_S)
        try:
            self._journal = GroupCommit(str(home / JOURNAL_NAME))
        except RunDirError:
            self._lock.close()
            raise
        bounds = bounds or SealBounds()
        sealing = Sealing(out, self._journal, bounds)
        self._sealer = Sealer(sealing, self._journal, bounds)
        self._replies = self._finished = 0
        try:
            self._forms = self._form_ids(schemas)
            self._ended = sealing.put_right()
        except RunDirError:
            self._let_go()
            raise
        self._takes = {episode_id: take for episode_id, (take, _) in self._ended.items()}

    async def record(self, entry: Entry, asker: str = "") -> Entry:
        """Keep a reply; returns, once it is durable, the entry that stands for this ask.

        That is `entry` itself, unless the same ask has been answered before: then the first
        final reply stands, and the caller is to go on with it. Its cost counts all the same, but
        for the very same reply once more, so that a call may be repeated when its actor died.

        Args:
            asker: for whom `begin` noted this ask, if it did: that is settled with the reply.

        Raises:
            RecordError: the facts are no plain data, or the ask is recorded with other words.
            RunDirError: the journal could not be written; nothing is kept.
        """
        (standing,) = await self.keep([entry], (), asker)
        if isinstance(standing, RecordError):
            raise standing
        return standing or entry

    async def finish(self, episode: WrittenEpisode) -> None:
        """Keep a finished episode under its next take; returns once it is durable.

        An episode that has come to a final end before is left as it is.

        Raises:
            RecordError: its family is none of this run's.
            RunDirError: the journal could not be written, or an earlier batch not be sealed.
        """
        await self.keep((), [episode])

    async def keep(
        self, entries: Sequence[Entry], ended: Sequence[WrittenEpisode], asker: str = ""
    ) -> list[Entry | RecordError | None]:
        """As `record` and `finish`, in one transaction.

        Returns:
            For each entry: None where it stands itself, the one that stands in its place, or why
            this one cannot be kept.

        Raises:
            RecordError, RunDirError: as they do; nothing is kept.
        """
        if ended:
            self._sealer.raise_error()
        outcomes: list[Entry | RecordError | None] = [None] * len(entries)
        writes: list[tuple[int, _Write]] = []
        for place, entry in enumerate(entries):
            try:
                is_final = self._is_final(entry.episode_id)
                writes.append((place, _Write(entry, None if is_final else write_entry(entry))))
            except RecordError as error:
                outcomes[place] = error
        ends = [self._next_take(one) for one in ended if not self._is_final(one.episode_id)]

        def write(journal: Journal) -> tuple[list[Written | None], Backlog | None]:
            standing = [one.into(journal, asker) for _, one in writes]
            for end in ends:
                journal.finish(*end)
            return standing, journal.backlog() if ends else None

        standing, backlog = await self._journal.submit(write)
        for (place, one), stands in zip(writes, standing, strict=True):
            outcomes[place] = one.outcome(stands)
        self._replies += sum(one.written is not None for _, one in writes)
        self._finished += len(ends)
        for _, end in ends:
            self._ended[end.episode_id] = (end.take, end.error_kind)
        if backlog is not None:
            self._sealer.grown(backlog)
        return outcomes

    async def finished(self, episode_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
        """Episode id → (take, error_kind) of those among `episode_ids` that have ended durably.

        To be asked before an episode is handed out again after a worker's death: its end may have
        been recorded, and its replies pruned, without the driver hearing of it.
        """
        return {
            episode_id: self._ended[episode_id]
            for episode_id in episode_ids
            if episode_id in self._ended
        }

    async def prefixes(self, episode_ids: Sequence[str]) -> dict[str, tuple[Entry, ...]]:
        """Each episode's entries from ask 1 on, up to the first that is missing or not final.

        An episode with a final end that has been sealed has none: see `finished`.
        """
        found = await self._journal.submit(lambda journal: journal.prefixes(episode_ids))
        return {
            episode_id: tuple(map(read_entry, written)) for episode_id, written in found.items()
        }

    async def claim_calls(self, key: str, day: int, calls: int) -> None:
        """Note, durably, that up to `calls` calls of a key may be made on a day, by its number."""
        await self._journal.submit(lambda journal: journal.claim_calls(key, day, calls))

    async def claimed_calls(self, days: Mapping[str, int]) -> dict[str, int]:
        """Key → calls that may have been made on its day."""
        return await self._journal.submit(lambda journal: journal.claimed_calls(days))

    async def seal(self) -> None:
        """Write everything finished so far into shards.

        Raises:
            RunDirError: a shard could not be written; the episodes stay in the journal.
        """
        await self._sealer.seal()

    async def stats(self) -> RecorderStats:
        """Counters, cheap enough to ask for once a second."""
        return RecorderStats(
            replies=self._replies,
            commits=self._journal.commits,
            finished=self._finished,
            unsealed=self._sealer.backlog.episodes,
            spent_usd=await self._journal.submit(lambda journal: journal.money.spent_usd()),
        )

    async def ledger(self) -> dict[str, float]:
        """Episode id → what its replies have cost since the run directory was made, in USD.

        Known costs only; those of replies that another made needless are among them.
        """
        return await self._journal.submit(lambda journal: journal.money.ledger())

    async def sums(self) -> Sums:
        """For budgets: what is spent, and what else calls may have cost or may cost yet."""
        return await self._journal.submit(lambda journal: journal.money.sums())

    async def begin(self, asks: Sequence[Begun]) -> None:
        """Note what may be asked from now on; a call may go once this has returned.

        If its reply is never recorded it counts as costing all it may, in this run or a later one.
        """
        await self._journal.submit(lambda journal: journal.money.begin(asks))

    async def give_up_begun(self) -> None:
        """What has begun is of processes that are gone: presume that it costs what it may."""
        await self._journal.submit(lambda journal: journal.money.give_up_begun())

    async def close(self) -> None:
        """Seal, then let go of the run directory; the Recorder is of no use afterwards."""
        try:
            await self.seal()
        finally:
            self._let_go()

    def _form_ids(self, schemas: Mapping[str, tuple[pa.Schema, pa.Schema]]) -> dict[str, int]:
        """Family → the number that its form has in the journal."""
        packed = {
            family: PackedForm(family, *Form(family, *its).packed)
            for family, its in schemas.items()
        }
        return self._journal.run(
            lambda journal: {family: journal.form_id(form) for family, form in packed.items()}
        )

    def _next_take(self, episode: WrittenEpisode) -> tuple[int, Sealable]:
        """The number of its form, and what is to be kept of it."""
        episode_id = episode.episode_id
        if episode.family not in self._forms:
            raise RecordError(f"episode {episode_id}: unknown family {episode.family!r}")
        take = self._takes[episode_id] = self._takes.get(episode_id, 0) + 1
        return self._forms[episode.family], Sealable(
            episode_id, take, episode.error_kind, episode.rows
        )

    def _is_final(self, episode_id: str) -> bool:
        end = self._ended.get(episode_id)
        return end is not None and end[1] in FINAL_KINDS

    def _let_go(self) -> None:
        self._sealer.close()
        self._journal.close()
        self._lock.close()
