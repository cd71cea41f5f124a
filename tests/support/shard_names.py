"""Shards' names without their writer's mark: those of earlier releases, which a test can spell."""

import re
from pathlib import Path

_MARK = re.compile(r"(part-\d{6})-[0-9a-f]{8}\.parquet")


def plain(name: str) -> str:
    """A path of a shard, with a mark or without, as earlier releases wrote it."""
    return _MARK.sub(r"\1.parquet", name)


def without_marks(out: Path | str) -> None:
    """Renames the shards of a run directory on disk."""
    for path in sorted(Path(out).rglob("part-*.parquet")):
        path.rename(path.with_name(plain(path.name)))
