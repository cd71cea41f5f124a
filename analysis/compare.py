"""Compares two runs: every cell that both have, in pairs on equal scenes.

A pair is one scene (content, seed and repetition) for which both runs have a score. Pairs of one
independent unit, `cluster` of `metric.scores`, count once, with their mean. The test is exact, over
the units that differ: McNemar's test if all scores are 0 or 1, otherwise the sign test. Both are
the same sum over Binomial(units that differ, 1/2). If each run played a cell with one prompt set,
but with different ones, the two sets are compared: the cell's `variant` does not name them."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, TypeAlias

import duckdb
import numpy as np
import pyarrow as pa

from mirror_ray.analysis.bootstrap import DRAWS, Interval, Sample, bca_interval, scene_draws
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.undefined_metrics import is_here, without_mirror
from mirror_ray.contract.metrics import METRICS
from mirror_ray.records.sandboxed_duckdb import confine

CELL = ("family", "condition", "model", "temperature", "variant")

_SCORES = """
select
    family, condition, model, temperature, variant, metric, parameters, cluster, item,
    scene_seed, run, any_value(episode_id order by episode_id) as episode_id, avg(score) as score
from metric.scores
where score is not null and list_contains($metrics, metric)
group by all
"""

_SETS = "\\+prompts=[^+]+"

_OTHER_SETS = f"""
create table other_sets as
select family, condition, model, temperature, regexp_replace(variant, '{_SETS}', '') as plain
from (select distinct * from (
    select 'a' as run, {", ".join(CELL)} from scores_a
    union all
    select 'b' as run, {", ".join(CELL)} from scores_b
))
group by all
having count(*) filter (where run = 'a') = 1 and count(*) filter (where run = 'b') = 1
    and min(variant) <> max(variant)
"""  # noqa: S608 - ours

_RELABELLED = f"""
create table of_{{run}} as
select scores.* replace (coalesce(other_sets.plain, scores.variant) as variant)
from scores_{{run}} as scores
left join other_sets
    on scores.family = other_sets.family and scores.condition = other_sets.condition
    and scores.model = other_sets.model
    and scores.temperature is not distinct from other_sets.temperature
    and regexp_replace(scores.variant, '{_SETS}', '') = other_sets.plain
"""  # noqa: S608 - ours

_PAIRS = """
select
    family, condition, model, of_a.temperature, variant, metric, cluster, item, scene_seed, run,
    of_a.score as a, of_b.score as b, of_a.episode_id as episode_a, of_b.episode_id as episode_b
from of_a inner join of_b using (
    family, condition, model, variant, metric, parameters, cluster, item, scene_seed, run
)
where of_a.temperature is not distinct from of_b.temperature
"""

_CELLS = """
select
    family, condition, model, temperature, variant, metric,
    count(*) as n,
    avg(a) as a,
    avg(b) as b,
    avg(b) - avg(a) as difference,
    count(*) filter (where a > b) as higher_a,
    count(*) filter (where b > a) as higher_b,
    bool_and(a in (0, 1) and b in (0, 1)) as is_binary,
    list(b - a order by cluster) as differences
from units
group by all
order by family, condition, model, temperature, variant, metric
"""

_READ = f"select {', '.join(CELL)}, n_read, n_replies from metric.replies"  # noqa: S608 - ours
_STOPPED = f"select {', '.join(CELL)} from metric.settled where stopped_early"  # noqa: S608 - ours

_ONLY = """
select distinct family, condition, model, temperature, variant from {one}
except
select distinct family, condition, model, temperature, variant from {other}
order by all
"""

Cells: TypeAlias = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One metric of one cell in both runs.

    Args:
        n: independent units on which both have a score.
        a, b: means over them, None where no reply of the cell was read; `difference` is b - a, with
            its BCa interval over units.
        n_read_a, n_replies_a: how many of the cell's replies were read, and how many there are;
            None of a cell without replies.
        higher_a, higher_b: units in which that run's score is higher.
        p: exact and two-sided; `p_holm` is adjusted over all cells compared by this metric of this
            family. None if either run stopped the cell early, because its number of units then
            depends on its scores, or if fewer than half of its replies were read.
    """

    family: str
    condition: str
    model: str
    temperature: float | None
    variant: str
    metric: str
    n: int
    a: float | None
    b: float | None
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    higher_a: int
    higher_b: int
    test: str
    p: float | None
    p_holm: float | None
    n_read_a: int | None
    n_replies_a: int | None
    n_read_b: int | None
    n_replies_b: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs have in common, and what only one of them has.

    Args:
        discordant: the pairs whose scores differ, with the episodes of both.
        only_a, only_b: cells that only this run has, by the columns of `CELL`.
    """

    cells: tuple[Compared, ...]
    discordant: tuple[Row, ...]
    only_a: Cells
    only_b: Cells

    def rows(self) -> list[Row]:
        """Return the cells as plain data."""
        return [asdict(one) for one in self.cells]


def compare(
    a: duckdb.DuckDBPyConnection, b: duckdb.DuckDBPyConnection, metrics: Sequence[str] = ()
) -> Comparison:
    """Compare two open runs by these `metrics` of `metric.scores`, or by those that the families'
    tables show if none are given."""
    wanted = list(metrics) or sorted({name for family in METRICS.values() for name in family.shown})
    with duckdb.connect() as both:
        confine(both)
        for name, run in (("a", a), ("b", b)):
            scores: pa.Table = run.sql(_SCORES, params={"metrics": wanted}).to_arrow_table()
            both.register(f"scores_{name}", scores)
        both.execute(_OTHER_SETS)
        for name in "ab":
            both.execute(_RELABELLED.format(run=name))
        both.execute(f"create table pairs as {_PAIRS}")
        both.execute(
            "create table units as select family, condition, model, temperature, variant, metric,"
            " cluster, avg(a) as a, avg(b) as b from pairs group by all"
        )
        pairs = Reading(both)
        cells = pairs.rows(_CELLS)
        discordant = pairs.rows("from pairs where a <> b order by all")
        only_a = both.execute(_ONLY.format(one="of_a", other="of_b")).fetchall()
        only_b = both.execute(_ONLY.format(one="of_b", other="of_a")).fetchall()
    no_mirror = without_mirror(a) | without_mirror(b)
    cells, discordant = (
        [row for row in rows if is_here(row["family"], row["metric"], row["condition"], no_mirror)]
        for rows in (cells, discordant)
    )
    _add_exact_p(a, cells)
    for side, run in (("a", a), ("b", b)):
        read = {tuple(row[:-2]): row[-2:] for row in run.execute(_READ).fetchall()}
        for row in cells:
            counts = read.get(tuple(row[key] for key in CELL), (None, None))
            row[f"n_read_{side}"], row[f"n_replies_{side}"] = counts
    stopped = {cell for run in (a, b) for cell in run.execute(_STOPPED).fetchall()}
    return Comparison(
        tuple(_compared(cells, stopped)), tuple(discordant), tuple(only_a), tuple(only_b)
    )


def _add_exact_p(run: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> None:
    """Compute p by the views' own macro, once per pair of counts, because many cells have equal
    counts."""
    found: dict[tuple[int, int], float] = {}
    query = "select macro.mcnemar_p($1, $2)"
    for row in rows:
        counts = row["higher_a"], row["higher_b"]
        if counts not in found:
            ((p,),) = run.execute(query, [*counts]).fetchall()
            found[counts] = float(p)
        row["p"] = found[counts]


def _compared(rows: Sequence[Row], stopped: Container[tuple[Any, ...]]) -> list[Compared]:
    intervals = _intervals([row.pop("differences") for row in rows])
    for row in rows:
        if unread := [side for side in "ab" if row[f"n_read_{side}"] == 0]:
            row.update(dict.fromkeys((*unread, "difference")))
        if any(2 * (row[f"n_read_{side}"] or 0) < (row[f"n_replies_{side}"] or 0) for side in "ab"):
            row["p"] = None
    adjusted: dict[int, float | None] = dict(_holm(rows))
    found = []
    for at, (row, interval) in enumerate(zip(rows, intervals, strict=True)):
        if tuple(row[key] for key in CELL) in stopped:
            row["p"] = adjusted[at] = None
        is_read = row["difference"] is not None
        test = "mcnemar" if row.pop("is_binary") else "sign"
        found.append(
            Compared(
                **row,
                ci_low=interval.ci_low if is_read else None,
                ci_high=interval.ci_high if is_read else None,
                test=test,
                p_holm=adjusted.get(at),
            )
        )
    return found


def _intervals(samples: Sequence[Sequence[float]]) -> list[Interval]:
    found: dict[tuple[float, ...], Interval] = {}
    for n, same_size in groupby(sorted(map(tuple, samples), key=len), key=len):
        drawn, counts = scene_draws(n, DRAWS, 0), np.ones(n)
        for values in dict.fromkeys(same_size):
            found[values] = bca_interval(Sample(np.array(values), counts), drawn)
    return [found[tuple(values)] for values in samples]


def _holm(rows: Sequence[Row]) -> Mapping[int, float]:
    """Return each row's p, by its place, adjusted (Holm 1979) over the cells of its family and
    metric."""
    adjusted: dict[int, float] = {}
    questions: dict[tuple[str, str], list[int]] = {}
    for at, row in enumerate(rows):
        if row["p"] is not None:
            questions.setdefault((row["family"], row["metric"]), []).append(at)
    for places in questions.values():
        running = 0.0
        for rank, at in enumerate(sorted(places, key=lambda place: rows[place]["p"])):
            running = max(running, rows[at]["p"] * (len(places) - rank))
            adjusted[at] = min(1.0, running)
    return adjusted
