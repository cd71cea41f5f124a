"""A run's rows by cell or by model, many of these read together: each reading opens every shard."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from mirror_ray.analysis.reading import Reading, Row

MOST_ASKS = 20_000
"""That are read together, their words among them."""


def batches(n_asks: Mapping[str, int]) -> Iterator[list[str]]:
    """Names that are read together, in their order; one that has more asks is read alone.

    Args:
        n_asks: name → about how many asks it has.
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
