"""Audits by persons: how often the rules and the judges read replies as people do."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file, text_column

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


def section(run: Reading, rows: Sequence[Mapping[str, Any]]) -> Section | None:
    """Return agreement and kappa of every reader with every person; None without marks.

    Args:
        rows: `audit`, `reader`, `person`, `of` (a stratum; empty: all), `n`, and `agreement` and
            `kappa` with their intervals' ends.
    """
    if not rows:
        return None
    data = pa.Table.from_pylist([dict(one) for one in rows], schema=_SCHEMA)
    columns = {"of": text_column(lambda row: row["of"] or "all")}
    file = section_file(__name__, run, columns=columns)
    return file.section(file.table("audits", data))
