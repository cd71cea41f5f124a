"""Ended episodes that wait in the journal to be sealed. All methods work within its open
transaction."""

import sqlite3
from collections.abc import Iterable, Mapping

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.records.rows.finished import Backlog, PackedForm, Sealable


class EndedEpisodes:
    """The rows of ended episodes and their codecs, in the journal's database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def form_id(self, form: PackedForm) -> int:
        """Return the number of a row codec, which is permanent in this journal."""
        found = self._db.execute(
            "select form_id from form where family = ? and steps = ? and episode = ?", form
        ).fetchone()
        if found is not None:
            return int(found[0])
        (new,) = self._db.execute("select coalesce(max(form_id), 0) + 1 from form").fetchone()
        self._db.execute(
            "insert into form values (?1, ?2, ?3, ?4, row_crc(?1, ?2, ?3, ?4))", (new, *form)
        )
        return int(new)

    def finish(self, form_id: int, finished: Sealable) -> None:
        """Keep a finished episode until it is sealed."""
        self._db.execute(
            "insert into finished values (?1, ?2, ?3, ?4, ?5, row_crc(?1, ?2, ?3, ?4, ?5))",
            (form_id, *finished),
        )

    def backlog(self) -> Backlog:
        """Return the finished episodes that wait to be sealed."""
        query = "select count(*), coalesce(sum(length(rows)), 0) from finished"
        return Backlog(*self._db.execute(query).fetchone())

    def unsealed_forms(self) -> dict[int, PackedForm]:
        """Return the row codecs of the episodes to be sealed, by number; by family, oldest
        first."""
        rows = self._db.execute(
            "select form_id, family, steps, episode from form "
            "where form_id in (select form_id from finished) order by family, form_id"
        )
        return {form_id: PackedForm(*form) for form_id, *form in rows}

    def unsealed(self, form_id: int, max_episodes: int, max_bytes: int) -> list[Sealable]:
        """Return the next batch to seal, at least one episode, ordered by identity so that equal
        prompts are next to each other."""
        rows = self._db.execute(
            "select episode_id, take, error_kind, rows from finished "
            "where form_id = ? order by rowid limit ?",
            (form_id, max_episodes),
        )
        batch: list[Sealable] = []
        size_bytes = 0
        for sealable in map(Sealable._make, rows):
            size_bytes += len(sealable.rows)
            if batch and size_bytes > max_bytes:
                break
            batch.append(sealable)
        return sorted(batch)

    def unsealed_ends(self) -> list[tuple[str, int, str]]:
        """Return (episode_id, take, error_kind) of all episodes that wait to be sealed."""
        return self._db.execute("select episode_id, take, error_kind from finished").fetchall()

    def forget_ends(self, ends: Iterable[tuple[str, int]]) -> None:
        """Remove finished (episode_id, take), so that these episodes resume from their replies."""
        self._db.executemany("delete from finished where episode_id = ? and take = ?", ends)

    def prune(self, sealed: Iterable[tuple[str, int, str]]) -> None:
        """Remove ended episodes that are in shards, each (episode_id, take, error_kind), and their
        replies if the end is final."""
        for episode_id, take, error_kind in sealed:
            self._db.execute(
                "delete from finished where episode_id = ? and take <= ?", (episode_id, take)
            )
            if error_kind in FINAL_KINDS:
                self._db.execute("delete from reply where episode_id = ?", (episode_id,))

    def prune_sealed(self, sealed: Mapping[str, tuple[int, str]]) -> None:
        """Like `prune`, for all ends that are in shards."""
        here = self._db.execute(
            "select episode_id from reply union select episode_id from finished"
        )
        self.prune(
            (episode_id, *sealed[episode_id])
            for (episode_id,) in here.fetchall()
            if episode_id in sealed
        )
