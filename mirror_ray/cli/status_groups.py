"""The rows of `mirror-ray status`: one per model, or for many models groups and exceptions."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mirror_ray.engine.driver.model_groups import MOST_MODEL_ROWS, traits_of
from mirror_ray.engine.driver.rows_of_many import TableRow, rows_of_many


def status_rows(
    rows: Sequence[tuple[Any, ...]],
    entries: Mapping[str, Mapping[str, Any]],
    unreachable: Collection[str],
    *,
    every: bool,
) -> list[TableRow]:
    """Return a row a model, or of more than `MOST_MODELS`: their groups by lab, family and limits,
    models with trouble (unreachable, failed, unpaid), and the first and the last by how far they
    are.

    Args:
        rows: of `mirror_ray.cli.status_counts.STATUS_COLUMNS`.
        entries: model → what the manifest says of it.
        every: each model its own row, however many there are.
    """
    models = list(dict.fromkeys(row[2] for row in rows))
    if every or len(models) <= MOST_MODEL_ROWS:
        return [TableRow(name, (name,)) for name in models]
    planned, done, failed, unpaid = (_sums(rows, place) for place in (3, 4, 5, 9))
    trouble = {name: (name in unreachable, failed[name], unpaid[name]) for name in models}
    return rows_of_many(
        {name: traits_of(name, entries.get(name, {})) for name in models},
        {name: done[name] / max(1, planned[name]) for name in models},
        {name: kinds for name, kinds in trouble.items() if any(kinds)},
    )


def entries_in(manifest: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return model → its entry in the manifest; the latest start takes precedence."""
    found: dict[str, Mapping[str, Any]] = {}
    for run in manifest["runs"]:
        models = run.get("models") if isinstance(run, Mapping) else None
        named = models.items() if isinstance(models, Mapping) else ()
        found |= {name: entry for name, entry in named if isinstance(entry, Mapping)}
    return found


def _sums(rows: Sequence[tuple[Any, ...]], place: int) -> Counter[str]:
    sums = Counter[str]()
    for row in rows:
        sums[row[2]] += row[place]
    return sums
