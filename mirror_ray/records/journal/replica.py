"""The replica of a run's journal: a chain of immutable segments in an object store.

A segment is created under the next number only if no object has that name. So a head that was
wrongly considered dead cannot write any more once another head has begun a term with its own
segment, and acknowledges nothing that the other head has not read."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.replica_store import REQUESTS_AT_ONCE, ReplicaStore
from mirror_ray.records.journal.segment import (
    JournalSegment,
    read_segment,
    segment_digest,
    write_segment,
)
from mirror_ray.records.storage_fault import faults_reported

WHOLE_EVERY = 500
"""After so many segments, one has all rows, and the segments before it are deleted."""


class JournalReplica:
    """The replica, for one process at a time. Its segments are in `store`."""

    def __init__(self, store: ReplicaStore) -> None:
        self.store = store
        self._tip: JournalSegment | None = None
        self._tip_digest = ""
        self._is_whole_due = True
        self._obsolete: list[int] = []

    def tip(self) -> JournalSegment | None:
        """Read the latest segment; None before the first."""
        self._obsolete = sorted(
            int(name) for name in self.store.names() if name.isascii() and name.isdecimal()
        )
        self._tip, self._tip_digest = None, ""
        if self._obsolete:
            self._tip, self._tip_digest = self._read(self._obsolete[-1])
        return self._tip

    def history(self, tip: JournalSegment) -> Iterator[JournalSegment]:
        """Yield the segments from the latest one with all rows up to `tip`. Raise RunDirError if
        one is missing, damaged, or not the one that its successor names."""
        numbers = range(tip.whole or 1, tip.number + 1)
        if len(numbers) > len(self._obsolete):
            raise self.damaged(tip.number, "segments before it are missing")
        digest = None
        with ThreadPoolExecutor(REQUESTS_AT_ONCE) as readers:
            for segment, own_digest in readers.map(self._read, numbers):
                if digest not in (None, segment.previous):
                    raise self.damaged(segment.number, "another segment came before it")
                digest = own_digest
                yield segment
        if digest != self._tip_digest:
            raise self.damaged(tip.number, "it has changed")

    def begin_term(self, term: str, commits: int) -> bool:
        """Begin a term after the latest segment that `tip` read; False if another came first."""
        tip = self._tip or JournalSegment(0, "", "", 0, (), 0, ())
        number = tip.number + 1
        opening = tip._replace(
            number=number,
            term=term,
            previous=self._tip_digest,
            openings=(*tip.openings, number),
            commits=commits,
            rows=(),
        )
        return self.store.create(_name(number), write_segment(opening))

    def follow(self, journal: Journal) -> None:
        """Continue the term of this journal. Raise RunDirError if another head has begun one, or
        the store cannot be used."""
        with faults_reported(self.store.address, "the journal cannot be replicated"):
            tip = self.tip()
        if tip is None or tip.term != journal.term:
            raise self._taken_over()

    def keep(self, journal: Journal) -> None:
        """Write what has been committed since the last segment into the next one.

        Raises:
            RunDirError: another head has taken over, or the store cannot be used; unwritten changes
                go into a later segment.
        """
        with faults_reported(self.store.address, "the journal cannot be replicated"):
            while not self._write_next(journal):
                pass

    def _write_next(self, journal: Journal) -> bool:
        """Write the next segment. Return False if an earlier segment, whose fate was unknown, has
        been written after all."""
        rows, place = journal.changes.noted()
        tip = self._tip
        assert tip is not None  # noqa: S101 - after `follow`
        number = tip.number + 1
        is_whole = self._is_whole_due or number - tip.whole >= WHOLE_EVERY
        if is_whole:
            rows = journal.changes.all_rows()
        elif not rows:
            return True
        segment = tip._replace(
            number=number,
            previous=self._tip_digest,
            whole=number if is_whole else tip.whole,
            commits=journal.commits,
            rows=tuple(rows),
        )
        body = write_segment(segment)
        digest = segment_digest(body)
        if not self.store.create(_name(number), body):
            segment, found = self._read(number)
            if segment.term != tip.term:
                raise self._taken_over()
            if found != digest:
                # A request that this head had given up arrived nevertheless.
                self._tip, self._tip_digest, self._is_whole_due = segment, found, True
                return False
        journal.changes.forget(place)
        self._tip, self._tip_digest, self._is_whole_due = segment, digest, False
        self._obsolete.append(number)
        if is_whole:
            self._delete_before(segment)
        return True

    def _delete_before(self, whole: JournalSegment) -> None:
        # Openings are kept: their numbers stop heads that were wrongly considered dead.
        names = [
            _name(number)
            for number in self._obsolete
            if number < whole.number and number not in whole.openings
        ]
        self._obsolete = [whole.number]
        with suppress(OSError):
            self.store.delete(names)

    def _read(self, number: int) -> tuple[JournalSegment, str]:
        body = self.store.read(_name(number))
        if body is None:
            raise self.damaged(number, "it is missing")
        try:
            segment = read_segment(body)
        except ValueError as error:
            raise self.damaged(number, str(error)) from error
        if segment.number != number or segment.whole > number:
            raise self.damaged(number, f"it is segment {segment.number}")
        return segment, segment_digest(body)

    def damaged(self, number: int, got: str) -> RunDirError:
        """Return the error to raise if a segment cannot be used."""
        return RunDirError(
            f"journal.replicate: {self.store.address}{_name(number)}",
            got,
            "the segments as this program wrote them",
            f"restore them from a copy; or delete {self.store.address} to continue from the sealed"
            " episodes: other requests are sent and paid again",
        )

    def _taken_over(self) -> RunDirError:
        return RunDirError(
            f"journal.replicate: {self.store.address}",
            "another head has taken over this run",
            "one head at a time",
            "let it continue; what is in flight here is lost",
        )


def _name(number: int) -> str:
    return f"{number:012d}"
