"""Computes the comparisons of the families' leading metrics as tables, within bounded memory.

A thousand models make half a million pairs in each condition. If there are too many pairs for one
table, they are computed in parts. A part always has all comparisons of a question of
`contrast.pairs`, among which p is corrected. So every figure equals that of the view. Models are
compared within one condition, temperature and label (a `board`). All other comparisons are within
one model and are computed for a group of models (a `crowd`) at a time."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import duckdb

from mirror_ray.analysis.quoting import literal

_MOST_PAIRS = 200_000
"""Pairs of models to compute together; these take about one GiB."""
MODELS_OF_A_CROWD = 100
_MOST_MODELS = 1_500
"""If a board has more models, they are not compared: ten thousand make fifty million pairs."""

_SCORES = "metric.scores"
_PAIRS, _TIED = "contrast.pairs", "contrast.pairs_tied"
_TABLES = {_PAIRS: "held.contrast_pairs", _TIED: "held.contrast_pairs_tied"}

# A board has what identifies a question of two models: see `question` of twin.scores.
_HELD_SCORES = """
create table held.metric_scores as
select
    *,
    dense_rank() over (
        order by concat_ws(' · ', family, condition, printf('%g', temperature), variant)
    ) as board,
    (dense_rank() over (order by model) - 1) // {of_a_crowd} as crowd
from ({each})
"""
_BOARDS = """
select board, any_value(family) as family, count(distinct model) as n_models, max(crowd) as crowd
from held.metric_scores
where score is not null
group by board
order by board
"""


def hold_comparisons(
    connection: duckdb.DuckDBPyConnection,
    metrics: Mapping[str, str],
    *,
    most_pairs: int = _MOST_PAIRS,
    of_a_crowd: int = MODELS_OF_A_CROWD,
    most_models: int = _MOST_MODELS,
) -> dict[str, str]:
    """Compute these metrics' rows of `contrast.pairs` and `contrast.pairs_tied` now.

    Args:
        connection: one on which `held.hold_episodes` was called. Call this once per connection.
        metrics: family → one of its metrics.
        most_pairs: the most pairs of models computed together, unless one board has more.
        of_a_crowd: the models whose other comparisons are computed together if there are more
            pairs.
        most_models: models of a board with more are not compared with each other.

    Returns:
        View → the table of its rows.
    """
    each = " union all ".join(
        f"from {_SCORES} where family = {literal(family)} and metric = {literal(metric)}"
        for family, metric in metrics.items()
    )
    connection.execute(_HELD_SCORES.format(each=each, of_a_crowd=of_a_crowd))
    # Copied until all parts exist: in a join, DuckDB would compute all other metrics too.
    with _in_place(connection, _SCORES, "scores_of_all"):
        _read_scores(connection, "true")
        pairs = _TABLES[_PAIRS]
        connection.execute(f"create table {pairs} as from {_PAIRS} limit 0")
        for scores, rows in _parts(connection, most_pairs, most_models):
            _read_scores(connection, scores)
            connection.execute(f"insert into {pairs} from {_PAIRS} where {rows}")
            # A checkpoint compresses them to a tenth.
            connection.execute("checkpoint held")
        _read_scores(connection, "true")
        with _in_place(connection, _PAIRS, "pairs_of_all"):
            connection.execute(f"create view {_PAIRS} as from {pairs}")
            connection.execute(f"create table {_TABLES[_TIED]} as from {_TIED}")
    connection.execute("drop table held.metric_scores")
    return dict(_TABLES)


def _read_scores(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    connection.execute(
        f"create or replace view {_SCORES} as "  # noqa: S608 - our own names and numbers
        f"select * exclude (board, crowd) from held.metric_scores where {where}"
    )


def _parts(
    connection: duckdb.DuckDBPyConnection, most_pairs: int, most_models: int
) -> Iterator[tuple[str, str]]:
    """Return the conditions that select a part's scores, and the comparisons that it completes."""
    boards = connection.execute(_BOARDS).fetchall()
    n_pairs = {board: n * (n - 1) // 2 for board, _, n, _ in boards if n <= most_models}
    if len(n_pairs) == len(boards) and sum(n_pairs.values()) <= most_pairs:
        yield "true", "true"
        return
    together: list[int] = []
    for board, n in n_pairs.items():
        if together and sum(n_pairs[one] for one in together) + n > most_pairs:
            yield _one_of(together), "axis = 'model'"
            together = []
        together.append(board)
    if together:
        yield _one_of(together), "axis = 'model'"
    if len({family for _, family, *_ in boards}) < len(boards):
        for crowd in range(1 + max(last for *_, last in boards)):
            yield f"crowd = {crowd}", "axis <> 'model'"


def _one_of(boards: list[int]) -> str:
    return f"board in ({', '.join(map(str, boards))})"


@contextmanager
def _in_place(connection: duckdb.DuckDBPyConnection, view: str, aside: str) -> Iterator[None]:
    layer, _, name = view.partition(".")
    connection.execute(f"alter view {view} rename to {aside}")
    yield
    connection.execute(f"drop view {view}")
    connection.execute(f"alter view {layer}.{aside} rename to {name}")
