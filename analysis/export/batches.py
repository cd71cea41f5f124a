"""Reads a run's rows by cell or by model, many at a time, because each query opens every shard."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from mirror_ray.analysis.reading import Reading, Row

MOST_ASKS = 20_000
"""The most requests that are read together, with their texts."""
UNREAD_EPISODES = """\
select episode_id
from stage.{family}_steps
where parse_status is not null and not superseded
group by episode_id
having bool_and(parse_status = 'failed')"""
"""The episodes none of whose replies was read: their scores say nothing."""
_WORD_CHARS = 50
_ASKS = """\
select {columns}
from shard.{family}_steps
semi join stage.{family}_episodes using (episode_id, take)
where list_contains($names, {key})
order by {key}, episode_id, ask"""


def batches(n_asks: Mapping[str, int]) -> Iterator[list[str]]:
    """Return groups of names to be read together, in order. A name with more than `MOST_ASKS`
    requests is a group by itself. `n_asks` maps a name to its approximate number of requests."""
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


def asks_sql(family: str, key: str, columns: str = "*") -> str:
    """Return the query for the requests of the episodes' latest takes, by name and episode. The
    names are in the column `key`, ``cell_id`` or ``model``."""
    return _ASKS.format(family=family, key=key, columns=columns)


def rows_by(run: Reading, sql: str, column: str, names: Sequence[str]) -> dict[str, list[Row]]:
    """Return each name's rows, in the query's order; a name without rows has an empty list. The
    query has the parameter ``$names``, and sorts by `column` first."""
    rows = run.rows(sql, names=list(names))
    found = {name: list(own) for name, own in groupby(rows, key=lambda row: str(row[column]))}
    return {name: found.get(name, []) for name in names}


def by_episode(asks: Sequence[Row]) -> dict[str, list[Row]]:
    """Group requests, which are sorted by episode."""
    return {key: list(own) for key, own in groupby(asks, key=lambda row: str(row["episode_id"]))}


def file_name(row: Row, key: str) -> str:
    """Name a file by family, condition, model and the id in the row's `key`. The id is short, since
    a file system allows 255 bytes."""
    words = (row["family"], row["condition"], row["model"], row[key])
    plain = ("".join(c if c.isalnum() or c in ".-" else "-" for c in word) for word in words)
    return "_".join(word[:_WORD_CHARS] for word in plain)
