"""A run directory's rows as plain dictionaries, and what two ways of playing must agree on."""

from pathlib import Path
from typing import Any

import pyarrow.dataset as pads

from mirror_ray.records.storage import storage_of

TIMINGS = {"latency_s", "started_at", "wall_s", "finished_at"}
"""What a clock says."""

WHO = {"model", "cell_id", "episode_id", "model_version"}
MONEY = {"cost_usd", "tokens_in", "tokens_out", "tokens_cached", "tokens_image"}
WIRE = {"native_finish_reason"}


def rows_of(out: Path | str, kind: str) -> list[dict[str, Any]]:
    """All rows of ``steps`` or ``episodes``, in an order of their own."""
    fs, root = storage_of(str(out))
    shards = pads.dataset(f"{root}/{kind}", filesystem=fs, format="parquet", partitioning=None)
    rows = shards.to_table().to_pylist()
    return sorted(rows, key=lambda row: (row["episode_id"], row["take"], row.get("ask", 0)))


def without(rows: list[dict[str, Any]], columns: set[str]) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in columns} for row in rows]


def same_words(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without who played, what it cost and when, in the order of the scenes."""
    kept = without(rows, TIMINGS | WHO | MONEY | WIRE)
    return sorted(
        kept, key=lambda row: (row["condition"], row["scene_seed"], row["run"], row.get("ask", 0))
    )
