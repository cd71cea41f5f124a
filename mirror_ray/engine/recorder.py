"""The Recorder: every reply and finished episode passes here, durable before anyone acts on it.

Knows which reply and which end stand; does not know Ray, the plan, any family's columns, nor when
and how a batch is sealed.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from mirror_ray.engine.sealer import Sealer
from mirror_ray.errors import RecordError, RunDirError
from mirror_ray.records.entry import Entry, Written, read_entry, write_entry
from mirror_ray.records.finished import FinishedEpisode
from mirror_ray.records.group_commit import GroupCommit
from mirror_ray.records.journal import JOURNAL_NAME, Journal, Sealable
from mirror_ray.records.lock import Lock
from mirror_ray.records.money import Begun, Sums
from mirror_ray.records.rows import table_of
from mirror_ray.records.sealing import SealBounds, Sealing
from mirror_ray.records.shards import pack
from mirror_ray.records.storage import home_of
from mirror_ray.types import FINAL_KINDS

PREDECESSOR_S = 15.0
"""How long a Recorder waits for the one of a run that has just been killed."""


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
        self._schemas = dict(schemas)
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
        written = write_entry(entry)
        cost_usd, presumed_usd = entry.reply.cost_usd, entry.reply.presumed_usd
        ask = (entry.episode_id, entry.ask_index, asker)

        def spend(journal: Journal) -> None:
            journal.money.come_back(*ask)
            journal.money.spend(
                {entry.episode_id: cost_usd or 0.0}, {entry.episode_id: presumed_usd}
            )

        def keep(journal: Journal) -> Written:
            journal.money.come_back(*ask)
            return journal.add(written, cost_usd, presumed_usd)

        if self._is_final(entry.episode_id):
            await self._journal.submit(spend)
            return entry
        standing = await self._journal.submit(keep)
        self._replies += 1
        if standing is written:
            return entry
        if standing.prompt_sha != entry.prompt_sha:
            raise RecordError(
                f"ask {entry.ask_index} of episode {entry.episode_id} is recorded with other words"
            )
        return read_entry(standing)

    async def record_all(
        self, entries: Sequence[Entry], asker: str = ""
    ) -> list[Entry | RecordError | None]:
        """As `record`, several at once; None where the entry itself stands.

        An entry that cannot be kept gets its own error.

        Raises:
            RunDirError: the journal could not be written; nothing is kept.
        """

        async def attempt(entry: Entry) -> Entry | RecordError | None:
            try:
                standing = await self.record(entry, asker)
            except RecordError as error:
                return error
            return None if standing is entry else standing

        return await asyncio.gather(*map(attempt, entries))

    async def finish(self, episode: FinishedEpisode) -> None:
        """Keep a finished episode under its next take; returns once it is durable.

        An episode that has come to a final end before is left as it is.

        Raises:
            RecordError: rows that do not fit the family's schemas; names column and episode.
            RunDirError: the journal could not be written, or an earlier batch not be sealed.
        """
        self._sealer.raise_error()
        episode_id = str(episode.episode.get("episode_id"))
        if self._is_final(episode_id):
            return
        take = self._takes.get(episode_id, 0) + 1
        sealable = self._pack(episode, episode_id, take)
        self._takes[episode_id] = take
        backlog = await self._journal.submit(
            lambda journal: journal.finish(episode.family, sealable)
        )
        self._ended[episode_id] = (take, sealable.error_kind)
        self._finished += 1
        self._sealer.grown(backlog)

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

    def _pack(self, episode: FinishedEpisode, episode_id: str, take: int) -> Sealable:
        if episode.family not in self._schemas:
            raise RecordError(f"episode {episode_id}: unknown family {episode.family!r}")
        step_schema, episode_schema = self._schemas[episode.family]
        steps = [{**row, "take": take} for row in episode.steps]
        whole = {**episode.episode, "take": take}
        return Sealable(
            episode_id,
            take,
            str(whole.get("error_kind")),
            pack(table_of(steps, step_schema, of=f"steps of episode {episode_id}")),
            pack(table_of([whole], episode_schema, of=f"episode {episode_id}")),
        )

    def _is_final(self, episode_id: str) -> bool:
        end = self._ended.get(episode_id)
        return end is not None and end[1] in FINAL_KINDS

    def _let_go(self) -> None:
        self._sealer.close()
        self._journal.close()
        self._lock.close()
