"""The meanings of headings, a sentence each: shown when a heading is pointed at, and as a list."""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from mirror_ray.analysis.report.cells import words
from mirror_ray.analysis.report.section import Column, ReportTable, Section
from mirror_ray.analysis.report.shown import says_something
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import family_yaml
from mirror_ray.core.shipped_files import shipped_yaml

_FILE = "glossary.yaml"

TERMS: Mapping[str, str] = {
    metric.heading: metric.meaning
    for family in METRICS.values()
    for metric in family.metrics
    if metric.meaning
} | {
    **shipped_yaml(__package__, _FILE),
    **{term: said for family in METRICS for term, said in family_yaml(family, _FILE).items()},
}
"""Heading → its meaning, for the catalogue's metrics and other words of tables."""


def meaning(column: Column) -> str:
    """Return a sentence, or "" if the heading needs none."""
    return column.meaning or TERMS.get(column.heading, "")


def section(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return the terms that tables of these sections use, or nothing if they use none."""
    used = {"n": TERMS["n"]}
    for column in _columns(sections):
        if text := meaning(column):
            used.setdefault(column.heading, text)
    rows = [{"term": term, "meaning": used[term]} for term in sorted(used, key=str.casefold)]
    if len(rows) < 2:
        return ()
    table = ReportTable(
        "glossary_terms",
        "Words of the tables' headings",
        "On a screen they also appear when a heading is pointed at.",
        "",
        pa.Table.from_pylist(rows),
        (words("term", "term"), words("meaning", "meaning")),
        source="this report",
    )
    lead = "What the abbreviations mean; the views' own comments say how each is computed."
    return (Section("glossary", "Glossary", lead, (table,)),)


def _columns(sections: Sequence[Section]) -> Iterator[Column]:
    for section in sections:
        for part in section.parts:
            # A table without rows has no headings.
            if isinstance(part, ReportTable) and says_something(part):
                yield from part.columns
