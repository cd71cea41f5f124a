"""Parts of a manifest, which may contain anything: each part has its expected type, or is empty."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


def runs_of(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The entries of all runs of a directory, oldest first."""
    runs = manifest.get("runs")
    return [mapping_of(run) for run in runs] if isinstance(runs, list) else []


def of_all_runs(manifest: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return name → what the latest run that has the name states of it under `key`."""
    return {
        name: said for run in runs_of(manifest) for name, said in mapping_of(run.get(key)).items()
    }


def mapping_of(value: object) -> Mapping[str, Any]:
    """Return `value` if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def time_of(value: object) -> datetime | None:
    """Return a time of the manifest or the log in UTC; None for anything else, or without a time
    zone."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        return None
    # Beyond these, a time zone's shift would leave the calendar.
    is_known = read.tzinfo is not None and 2000 <= read.year < 3000
    return read.astimezone(UTC) if is_known else None
