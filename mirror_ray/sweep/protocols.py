"""The version of each family's protocol in the manifest: what a family sends and how it plays."""

from collections.abc import Iterable, Mapping
from typing import Any

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import Cell
from mirror_ray.core.untrusted import one_printable_line

KEY = "protocols"
"""Key of each run in a manifest: family → version."""


def protocols_of_cells(cells: Iterable[Cell]) -> dict[str, int]:
    """Return family → version, for the manifest."""
    return {cell.family: cell.protocol for cell in cells}


def require_protocols(out: str, manifest: Mapping[str, Any], cells: Iterable[Cell]) -> None:
    """Refuse a run whose episodes were played under other versions than this program plays.

    Raises:
        RunDirError: names the first such family.
    """
    known = protocols_of_cells(cells)
    for run in manifest["runs"]:
        recorded = run.get(KEY)
        if not isinstance(recorded, dict):
            raise _other(out, "a run directory written before 0.1.0: it names no protocols")
        for family, version in known.items():
            if family in recorded and recorded[family] != version:
                got = f"protocol {recorded[family]!r} of {family}"
                raise _other(out, got, f"protocol {version} of {family}")


def _other(
    out: str, got: str, allowed: str = "run directories of this program's protocols"
) -> RunDirError:
    return RunDirError(
        out,
        one_printable_line(got[:200]),
        allowed,
        "start a new run directory; `mirror-ray sql` still reads this one",
    )
