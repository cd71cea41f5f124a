"""The results of all audits of a run directory: agreement of its readers with each person."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from mirror_ray.audit.agreement import agreements
from mirror_ray.audit.readings import audited_families, readings_of
from mirror_ray.audit.store import Audit, audits_in
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.run_folders import require_enclosed

_MOST_AUDITS = 50
"""Limited because a run directory may be a stranger's, and each audit reads the whole run once."""


def audit_rows(directory: str) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the figures of every audit with marks, and why others have none.

    Returns:
        Rows: ``audit``, then the fields of `agreement.Agreement`, with ``reader`` and ``person``
            for the two that are compared; and a line for each audit that cannot be read.

    Raises:
        RunDirError, duckdb.Error: the run itself cannot be read.
    """
    # Check this before reading any of them.
    require_enclosed(directory)
    rows: list[Mapping[str, Any]] = []
    faults: list[str] = []
    for name in audits_in(directory)[:_MOST_AUDITS]:
        audit = Audit(directory, name)
        try:
            sheet, marks = audit.sheet(), audit.marks()
        except RunDirError as error:
            faults.append(one_printable_line(str(error)))
            continue
        if sheet is None or not any(marks.values()):
            continue
        known = set(audited_families())
        if not set(sheet.families) <= known:
            faults.append(f"{audit.folder}: a sheet of families that are not here")
            continue
        readings = readings_of(directory, sheet.families)
        rows += _plain(name, [asdict(one) for one in agreements(sheet, readings, marks)])
    return rows, faults


def _plain(name: str, found: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for one in found:
        named = {"reader": one.pop("one"), "person": one.pop("other"), "of": one.pop("stratum")}
        shown = {key: one_printable_line(value) for key, value in named.items()}
        yield {"audit": name, **shown, **one}
