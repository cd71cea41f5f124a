"""A run directory's rows as plain dictionaries, and what two ways of playing must agree on."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.dataset as pads

from mirror_ray.records.storage import storage_of

TIMINGS = {"latency_s", "started_at", "wall_s", "finished_at"}
"""Columns that hold clock times."""

WHO = {"model", "cell_id", "episode_id", "model_version"}
MONEY = {"cost_usd", "tokens_in", "tokens_out", "tokens_cached", "tokens_image"}
WIRE = {"native_finish_reason", "attempts", "failed_attempts"}
"""How a reply arrived: failed attempts are sent again, and are recorded in the row."""

NAMES_A_ROW = ("condition", "model", "scene_seed", "run", "take", "ask")
LONGEST_VALUE = 200
"""Characters of a differing value that are shown."""


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


def assert_same_rows(
    found: Sequence[Mapping[str, Any]],
    expected: Sequence[Mapping[str, Any]],
    heard: Callable[[str, str], object] | None = None,
) -> None:
    """Fails unless both are equal row by row; reports the first pair that differs, and the columns.

    Hundreds of rows would hide the one value that matters.

    Args:
        heard: a server's record of a system and a user prompt, for that pair.
    """
    __tracebackhide__ = True
    difference = _first_difference(found, expected)
    if difference is None:
        return
    for one, other in zip(found, expected, strict=False):
        if heard is not None and one != other and "user" in one:
            difference += f"\n  the server replied to it: {heard(one['system'], one['user'])}"
            break
    raise AssertionError(difference)


def _first_difference(
    found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]]
) -> str | None:
    pairs = list(zip(found, expected, strict=False))
    differing = [place for place, (one, other) in enumerate(pairs) if one != other]
    counts = f"{len(found)} rows, expected {len(expected)}"
    if not differing:
        if len(found) == len(expected):
            return None
        longer = found if len(found) > len(expected) else expected
        return f"{counts}; the first without a partner is {_name_of(longer[len(pairs)])}"
    place = differing[0]
    row, wanted = pairs[place]
    lines = [f"{counts}; {len(differing)} differ, first number {place}, {_name_of(row)}:"]
    for column in dict.fromkeys([*wanted, *row]):
        shown = [_shown(one[column]) if column in one else "absent" for one in (row, wanted)]
        if column not in row or column not in wanted or row[column] != wanted[column]:
            lines.append(f"  {column}: {shown[0]}, expected {shown[1]}")
    return "\n".join(lines)


def _name_of(row: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={row[name]}" for name in NAMES_A_ROW if name in row)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}… ({len(text)})"
