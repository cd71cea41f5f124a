"""Splits a family's shards into parts whose derived rows fit into memory."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import duckdb

from mirror_ray.analysis.shard_views import read_files
from mirror_ray.analysis.shards import ShardFile

STEPS_PER_PART = 2_000_000
"""Approximate: with the rows derived from them, these take a GiB."""

PART_KINDS = ("steps", "episodes")


@dataclass(slots=True)
class ShardPart:
    """Files of a family that were sealed together, by kind."""

    files: dict[str, list[ShardFile]] = field(
        default_factory=lambda: {kind: [] for kind in PART_KINDS}
    )

    @property
    def n_steps(self) -> int:
        """The number of requests, of all takes."""
        return sum(file.n_rows for file in self.files["steps"])

    @property
    def has_both(self) -> bool:
        """Whether there are files of steps and of episodes."""
        return all(self.files.values())

    def add(self, files: Iterable[ShardFile]) -> None:
        """Add these files to the part."""
        for file in files:
            self.files[file.shards.kind].append(file)

    def read(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make the family's views read this part alone."""
        for files in self.files.values():
            read_files(connection, files[0].shards, [file.path for file in files])


def shard_parts(files: Iterable[ShardFile]) -> list[ShardPart]:
    """Return the parts in the order of their names; each has files of both kinds if there are any.

    A divided directory shares no part with others, so that it has the same parts whether it is read
    alone or not."""
    sealed: dict[str, dict[str, list[ShardFile]]] = defaultdict(lambda: defaultdict(list))
    for file in files:
        root, _, name = file.path.rpartition(f"/{file.shards.kind}/family=")
        sealed[root][name].append(file)
    parts = [ShardPart()]
    n_steps = 0
    was_alone = False
    for _, by_name in sorted(sealed.items()):
        n_rows = sum(file.n_rows for some in by_name.values() for file in some if _is_step(file))
        is_alone = n_rows >= STEPS_PER_PART
        starts = is_alone or was_alone
        was_alone = is_alone
        for _, together in sorted(by_name.items()):
            if (starts or n_steps >= STEPS_PER_PART) and parts[-1].has_both:
                parts.append(ShardPart())
                n_steps = 0
            starts = False
            parts[-1].add(together)
            n_steps += sum(file.n_rows for file in together if _is_step(file))
    if len(parts) > 1 and not parts[-1].has_both:
        rest = parts.pop()
        parts[-1].add(file for some in rest.files.values() for file in some)
    return parts


def _is_step(file: ShardFile) -> bool:
    return file.shards.kind == "steps"
