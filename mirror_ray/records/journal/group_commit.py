"""Group commit: one thread writes for many waiting coroutines, with one flush per transaction. The
slower the disk or the replica's store, the larger the transactions."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from mirror_ray.core.errors import RecordError
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.replica import JournalReplica

_T = TypeVar("_T")

_Work = Callable[[Journal], Any]


class GroupCommit:
    """The only access to a journal. A `replica` gets every transaction before its works count as
    done. Raise RunDirError if the journal cannot be opened, or the replica belongs to another
    head."""

    def __init__(self, path: str, replica: JournalReplica | None = None) -> None:
        self._replica = replica
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._waiting: list[tuple[_Work, asyncio.Future[Any]]] = []
        self._writer: asyncio.Task[None] | None = None
        self.commits = 0
        """Transactions written by `submit`, which show how many replies share one."""
        try:
            self._journal = self._thread.submit(self._opened, path).result()
        except BaseException:
            self._thread.shutdown()
            raise

    def _opened(self, path: str) -> Journal:
        journal = Journal(path, captures=self._replica is not None)
        if self._replica is not None:
            try:
                self._replica.follow(journal)
            except BaseException:
                journal.close()
                raise
        return journal

    def _commit(self, works: Sequence[Callable[[Journal], _T]]) -> list[_T | RecordError]:
        results = self._journal.commit(works)
        if self._replica is not None:
            self._replica.keep(self._journal)
        return results

    def run(self, work: Callable[[Journal], _T]) -> _T:
        """Do `work` in its own transaction and wait, without an event loop. Raises the errors of
        `submit`."""
        (result,) = self._thread.submit(self._commit, [work]).result()
        if isinstance(result, RecordError):
            raise result
        return result

    async def submit(self, work: Callable[[Journal], _T]) -> _T:
        """Do `work` in the next transaction; return its result once that is on disk. Cancelling the
        caller does not cancel its work.

        Raises:
            RecordError: this work cannot be kept; others of the transaction are not affected.
            RunDirError: the journal could not be written; the work did not happen.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_T] = loop.create_future()
        self._waiting.append((work, done))
        if self._writer is None or self._writer.done():
            self._writer = loop.create_task(self._write())
        return await done

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = self._waiting, []
            works = [work for work, _ in group]
            try:
                results = await loop.run_in_executor(self._thread, self._commit, works)
            except Exception as error:
                for _, done in group:
                    if not done.done():
                        done.set_exception(error)
                continue
            self.commits += 1
            for (_, done), result in zip(group, results, strict=True):
                if done.done():
                    continue
                if isinstance(result, RecordError):
                    done.set_exception(result)
                else:
                    done.set_result(result)

    def close(self) -> None:
        """Close the journal after the transaction in progress."""
        self._thread.submit(self._journal.close).result()
        self._thread.shutdown()
