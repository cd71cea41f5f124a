"""A table whose rows come from a run's manifest rather than from a query."""

from collections.abc import Sequence

import pyarrow as pa

from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.section import Column, ReportTable, TableCell

MANIFEST = "manifest.json"


def from_manifest(
    name: str, title: str, text: str, rows: Sequence[Row], keys: Sequence[str]
) -> ReportTable:
    """The keys as columns of printable text; an empty one is shown as a dash."""
    data = pa.Table.from_pylist(list(rows)) if rows else pa.table({key: [] for key in keys})
    return ReportTable(
        name, title, text, "", data, tuple(_said(key) for key in keys), source=MANIFEST
    )


def _said(key: str) -> Column:
    return Column(key, lambda row: TableCell(row[key] or "–"), is_number=False)
