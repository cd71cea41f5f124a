"""Measure what replicating the journal costs: time and store requests for each reply.

    python benchmarks/replicated_journal.py [--put-ms 50] [--model-s 1] [--replies 20]

Episodes send requests at the same time, each as a run does: the cost of a call is reserved, the
call takes `--model-s`, and its reply of 1 KiB is recorded. The store keeps objects in memory and
takes `--put-ms` for each. The times are what a request takes beyond its call, without and with a
replica.
"""

import argparse
import asyncio
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import numpy as np
from rich.console import Console
from rich.table import Table

from mirror_ray.core.types import Reply
from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.journal.group_commit import GroupCommit
from mirror_ray.records.journal.replica import JournalReplica
from mirror_ray.records.journal.replica_store import ReplicaStore
from mirror_ray.records.journal.write import Write

IN_FLIGHT = (1, 16, 256)


class MemoryStore(ReplicaStore):
    """Objects in memory, each created in a fixed time."""

    def __init__(self, put_s: float) -> None:
        self.address = "s3://memory/"
        self._put_s = put_s
        self._objects: dict[str, bytes] = {}
        self.puts = self.put_bytes = 0

    def create(self, name: str, body: bytes) -> bool:
        """Create an object; return False if it exists."""
        sleep(self._put_s)
        self.puts += 1
        self.put_bytes += len(body)
        return self._objects.setdefault(name, body) is body

    def read(self, name: str) -> bytes | None:
        """Return an object."""
        return self._objects.get(name)

    def names(self) -> list[str]:
        """Return all names."""
        return sorted(self._objects)

    def delete(self, names: object) -> None:
        """Keep everything."""


def main() -> None:
    """Print a row for each number of episodes in flight."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--put-ms", type=float, default=50.0)
    options.add_argument("--model-s", type=float, default=1.0)
    options.add_argument("--replies", type=int, default=20, help="of each episode")
    chosen = options.parse_args()
    table = Table(
        "in flight", "replies/s", "disk, ms", "replicated, ms", "puts/reply", "bytes/reply"
    )
    for in_flight in IN_FLIGHT:
        disk_s, _ = asyncio.run(measure(None, in_flight, chosen.replies, chosen.model_s))
        store = MemoryStore(chosen.put_ms / 1000)
        both_s, wall_s = asyncio.run(measure(store, in_flight, chosen.replies, chosen.model_s))
        n_replies = in_flight * chosen.replies
        table.add_row(
            f"{in_flight}",
            f"{n_replies / wall_s:.1f}",
            f"{1000 * disk_s:.1f}",
            f"{1000 * both_s:.1f}",
            f"{store.puts / n_replies:.2f}",
            f"{store.put_bytes / n_replies:,.0f}",
        )
    Console().print(table)


async def measure(
    store: MemoryStore | None, in_flight: int, n_replies: int, model_s: float
) -> tuple[float, float]:
    """Return how long a request takes beyond its call, on average, and all of them, in seconds."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / JOURNAL_NAME)
        replica = None if store is None else JournalReplica(store)
        if replica is not None:
            journal = Journal(path)
            journal.commit([partial(Journal.begin_term, term="term")])
            replica.tip()
            replica.begin_term("term", journal.commits)
            journal.close()
        commits = GroupCommit(path, replica)
        beyond_s: list[float] = []
        rng = np.random.default_rng(0)
        began_s = perf_counter()

        async def play(episode: str) -> None:
            for number in range(1, n_replies + 1):
                at_s = perf_counter()
                call = PendingCall(episode, number, "asker", "cell", 0.01)
                await commits.submit(partial(_begin, call=call))
                await asyncio.sleep(model_s)
                reply = Reply(rng.bytes(512).hex(), cost_usd=0.001)
                entry = Entry(episode, number, "sha", None, {}, reply)
                write = Write.of(entry, has_ended=False)
                await commits.submit(partial(write.into, asker="asker"))
                beyond_s.append(perf_counter() - at_s - model_s)

        await asyncio.gather(*(play(f"e{number}") for number in range(in_flight)))
        wall_s = perf_counter() - began_s
        commits.close()
    return fmean(beyond_s), wall_s


def _begin(journal: Journal, call: PendingCall) -> None:
    journal.charges.begin([call])


if __name__ == "__main__":
    main()
