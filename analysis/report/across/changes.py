"""What people changed of a run while it played."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.analysis.report.across.manifest_table import from_manifest
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.records.control_changes import changes_in


def changes(manifest: Mapping[str, Any]) -> ReportTable:
    """A row per change that a person made while a run played."""
    return from_manifest(
        "how_changed",
        "Changed while it ran",
        "One row for each change made through mirror-ray ctl, by the process that asked for it.",
        [
            {
                "at": one.at,
                "command": one.command,
                "of": one.subject,
                "setting": one.setting,
                "before": _figure(one.before),
                "after": _figure(one.value),
                "by": one.by,
            }
            for one in changes_in(manifest)
        ],
        ("at", "command", "of", "setting", "before", "after", "by"),
    )


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,g}"
