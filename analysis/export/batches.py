"""Reads a run's rows by cell or by model, many at a time, because each query opens every shard."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from mirror_ray.analysis.reading import Reading, Row

MOST_ASKS = 20_000
"""The most requests that are read together, with their texts."""


def batches(n_asks: Mapping[str, int]) -> Iterator[list[str]]:
    """Return groups of names to be read together, in their order; a name with more requests is read
    alone.

    Args:
        n_asks: name → about how many requests it has.
    """
    together: list[str] = []
    total = 0
    for name, n in n_asks.items():
        if together and total + n > MOST_ASKS:
            yield together
            together, total = [], 0
        together.append(name)
        total += n
    if together:
        yield together


def rows_by(run: Reading, sql: str, column: str, names: Sequence[str]) -> dict[str, list[Row]]:
    """Each name's rows, in the query's order; a name without rows has an empty list.

    Args:
        sql: has ``$names``, and sorts by `column` first.
    """
    rows = run.rows(sql, names=list(names))
    found = {name: list(own) for name, own in groupby(rows, key=lambda row: str(row[column]))}
    return {name: found.get(name, []) for name in names}
