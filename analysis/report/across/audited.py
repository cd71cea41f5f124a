"""Audits by persons: how far the rules and the judges read replies as people do."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from mirror_ray.analysis.report.cells import estimate_column, words
from mirror_ray.analysis.report.section import Column, ReportTable, Section, TableCell

_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("audit", "reader", "person", "of")),
        ("n", pa.int64()),
        *(
            (f"{name}{end}", pa.float64())
            for name in ("agreement", "kappa")
            for end in ("", "_low", "_high")
        ),
    ]
)


def section(rows: Sequence[Mapping[str, Any]]) -> Section | None:
    """Agreement and kappa of every reader with every person; None without marks.

    Args:
        rows: `audit`, `reader`, `person`, `of` (a stratum; empty: all), `n`, and `agreement` and
            `kappa` with their intervals' ends.
    """
    if not rows:
        return None
    data = pa.Table.from_pylist([dict(one) for one in rows], schema=_SCHEMA)
    return Section(
        "audits",
        "Audits by persons",
        "Persons marked blinded samples of this run's replies. Each reply counts by the share of "
        "its stratum, so that the figures describe the whole run. A metric is no better than "
        "the readings behind it.",
        (
            ReportTable(
                "audits",
                "Readers compared with persons",
                "Agreement and Cohen's kappa with 95 % intervals (Wilson's, on the effective "
                "number of replies). Kappa is undefined where a reader only ever says one thing.",
                "",
                data,
                (
                    words("reader", "reader"),
                    words("person", "person"),
                    Column("replies", lambda row: TableCell(row["of"] or "all"), is_number=False),
                    _estimate("agreement", "agreement"),
                    _estimate("kappa", "κ"),
                ),
                group=lambda row: str(row["audit"]),
                source="audits/ of the run directory, by mirror-ray audit",
            ),
        ),
    )


def _estimate(key: str, heading: str) -> Column:
    return estimate_column(heading, key=key, low=f"{key}_low", high=f"{key}_high")
