"""Sealing: moves finished episodes from the journal into shards, in its own thread. A crash between
any two steps loses nothing and shows nothing twice."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from mirror_ray.records.journal.group_commit import GroupCommit
from mirror_ray.records.rows.codec import UNREADABLE, RowCodec
from mirror_ray.records.rows.finished import Sealable
from mirror_ray.records.shards.shard_index import (
    END_COLUMNS,
    ends_in,
    latest_takes,
    sealed_cells,
    sealed_columns,
    sealed_costs_usd,
)
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.storage_fault import faults_reported


@dataclass(frozen=True, slots=True)
class SealBounds:
    """A batch is sealed as soon as it reaches one of these. Episodes that end meanwhile are added,
    up to a quarter more: each sealing would otherwise leave a small shard too."""

    episodes: int = 1_000
    size_bytes: int = 64 * 2**20
    age_s: float = 30.0


class Sealing:
    """Moves a run directory's episodes from its journal into its shards."""

    def __init__(self, out: str, journal: GroupCommit, bounds: SealBounds) -> None:
        self._out = out
        self._journal = journal
        self._bounds = bounds
        self._shards = ShardWriter(out)

    def put_right(self) -> dict[str, tuple[int, str]]:
        """Repair what a crash left; return (take, error_kind) of every ended episode. A newer
        journal imports their costs. Raise RunDirError if the journal or a shard is unusable."""
        with faults_reported(self._out, "what a crash left cannot be removed"):
            self._shards.remove_leftovers()
        if self._journal.run(lambda journal: journal.charges.needs_import):
            costs_usd, cells = sealed_costs_usd(self._out), sealed_cells(self._out)
            self._journal.run(lambda journal: journal.charges.import_sealed_costs(costs_usd, cells))
        latest = latest_takes(sealed_columns(self._out, "episodes", (*END_COLUMNS, "cost_usd")))
        self._make_up(latest)
        sealed = ends_in(latest)
        self._journal.run(lambda journal: journal.ended.prune_sealed(sealed))
        unsealed = self._journal.run(lambda journal: journal.ended.unsealed_ends())
        forgotten = self.seal()
        return sealed | {
            episode_id: (take, kind)
            for episode_id, take, kind in sorted(unsealed)
            if (episode_id, take) not in forgotten
        }

    def seal(self) -> set[tuple[str, int]]:
        """Write all finished episodes into shards, batch by batch.

        Returns:
            (episode_id, take) of ends whose rows are damaged and removed; their episodes resume
                from their recorded replies in the next run.

        Raises:
            RunDirError: a file could not be written; episodes not in shards stay in the journal.
        """
        forgotten: set[tuple[str, int]] = set()
        forms = self._journal.run(lambda journal: journal.ended.unsealed_forms())
        for form_id, packed in forms.items():
            codec = RowCodec.unpacked(*packed)
            while batch := self._next_batch(form_id):
                try:
                    rows = codec.read((sealable.take, sealable.rows) for sealable in batch)
                except UNREADABLE:
                    unreadable = self._forget_unreadable(codec, batch)
                    if not unreadable:
                        raise
                    forgotten |= unreadable
                    continue
                with faults_reported(self._out, "a Parquet shard could not be written"):
                    self._shards.write(codec.family, *rows)
                self._prune(batch)
        return forgotten

    def _make_up(self, latest: pa.Table) -> None:
        """Add costs that are in shards but not in the journal, which was restored from an older
        copy."""
        ids, costs_usd = latest["episode_id"].to_pylist(), latest["cost_usd"].to_pylist()
        stated = {one: usd for one, usd in zip(ids, costs_usd, strict=True) if usd is not None}
        missing_usd = self._journal.run(lambda journal: journal.charges.make_up(stated))
        if missing_usd:
            print(
                f"mirror-ray: {self._out}: the journal lacked {missing_usd:.4f} USD of the costs in"
                " its shards; they count now",
                file=sys.stderr,
            )

    def _next_batch(self, form_id: int) -> list[Sealable]:
        most_episodes, most_bytes = self._bounds.episodes * 5 // 4, self._bounds.size_bytes
        return self._journal.run(
            lambda journal: journal.ended.unsealed(form_id, most_episodes, most_bytes)
        )

    def _prune(self, batch: Sequence[Sealable]) -> None:
        ends = [(sealable.episode_id, sealable.take, sealable.error_kind) for sealable in batch]
        self._journal.run(lambda journal: journal.ended.prune(ends))

    def _forget_unreadable(
        self, codec: RowCodec, batch: Sequence[Sealable]
    ) -> set[tuple[str, int]]:
        """Remove an episode's unreadable rows, which must not keep other episodes from their
        shard."""
        ends = {
            (one.episode_id, one.take) for one in batch if not codec.is_readable(one.take, one.rows)
        }
        self._journal.run(lambda journal: journal.ended.forget_ends(ends))
        for episode_id, _ in sorted(ends):
            print(
                f"mirror-ray: {self._out}: the rows of episode {episode_id} are damaged;"
                " the next run plays it again from its recorded replies",
                file=sys.stderr,
            )
        return ends
