"""Sealing: finished episodes go from the journal into shards, and only then leave the journal.

Knows the order of things that makes a crash between any two of them lose nothing and show nothing
twice; does not know when to seal, nor who waits. Blocking: it has a thread of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.records.form import Form
from mirror_ray.records.group_commit import GroupCommit
from mirror_ray.records.journal import Journal, Sealable
from mirror_ray.records.resume import finished_episodes, sealed_cells, sealed_costs_usd
from mirror_ray.records.shards import Shards
from mirror_ray.records.storage_fault import faults_told


@dataclass(frozen=True, slots=True)
class SealBounds:
    """A batch is sealed as soon as it reaches one of these."""

    episodes: int = 500
    size_bytes: int = 64 * 2**20
    age_s: float = 30.0


class Sealing:
    """Moves a run directory's episodes from its journal into its shards."""

    def __init__(self, out: str, journal: GroupCommit, bounds: SealBounds) -> None:
        self._out = out
        self._journal = journal
        self._bounds = bounds
        self._shards = Shards(out)

    def put_right(self) -> dict[str, tuple[int, str]]:
        """Mend what a crash has left; returns (take, error_kind) of every ended episode.

        A journal that is new beside old shards learns from them what the run has cost.

        Raises:
            RunDirError: the journal or a shard is unusable.
        """
        with faults_told(self._out, "what a crash left cannot be removed"):
            self._shards.remove_leftovers()
        if self._journal.run(lambda journal: journal.money.has_to_learn):
            costs_usd, cells = sealed_costs_usd(self._out), sealed_cells(self._out)
            self._journal.run(lambda journal: journal.money.learn(costs_usd, cells))
        sealed = finished_episodes(self._out)
        self._journal.run(lambda journal: journal.let_go_of_sealed(sealed))
        unsealed = self._journal.run(Journal.unsealed_ends)
        self.seal()
        return sealed | {episode_id: (take, kind) for episode_id, take, kind in sorted(unsealed)}

    def seal(self) -> None:
        """Write all that is finished into shards, batch by batch.

        Raises:
            RunDirError: a file could not be written; what is not in shards stays in the journal.
        """
        for form_id, packed in self._journal.run(Journal.unsealed_forms).items():
            form = Form.unpacked(*packed)
            while batch := self._next_batch(form_id):
                self._write(form, batch)
                self._let_go(batch)

    def _next_batch(self, form_id: int) -> list[Sealable]:
        bounds = self._bounds
        return self._journal.run(
            lambda journal: journal.unsealed(form_id, bounds.episodes, bounds.size_bytes)
        )

    def _let_go(self, batch: Sequence[Sealable]) -> None:
        ends = [(sealable.episode_id, sealable.take, sealable.error_kind) for sealable in batch]
        self._journal.run(lambda journal: journal.let_go(ends))

    def _write(self, form: Form, batch: Sequence[Sealable]) -> None:
        steps, episodes = form.read((sealable.take, sealable.rows) for sealable in batch)
        with faults_told(self._out, "a Parquet shard could not be written"):
            self._shards.write(form.family, steps, episodes)
