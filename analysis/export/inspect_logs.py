"""A run as Inspect's `.eval` logs, one per cell: for its viewer and its dataframes."""

from collections.abc import Iterator, Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import GenerateConfig

from mirror_ray.analysis.export.batches import (
    UNREAD_EPISODES,
    asks_sql,
    batches,
    by_episode,
    file_name,
    rows_by,
)
from mirror_ray.analysis.export.inspect_samples import sample_of
from mirror_ray.analysis.export.pictures import Draw, no_pictures
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.soundness import sound_run

_CELLS = """\
select
    cell_id,
    any_value(sweep) as sweep,
    any_value(family) as family,
    any_value(condition) as condition,
    any_value(model) as model,
    any_value(temperature) as temperature,
    any_value(variant) as variant,
    count(*) as n,
    sum(n_asks)::bigint as n_asks,
    count(*) filter (where error_kind = 'none') as n_whole,
    min(finished_at) as first_finished_at,
    max(finished_at) as finished_at
from stage.{family}_episodes
group by cell_id
order by condition, model, cell_id"""
_EPISODES = """\
from stage.{family}_episodes
where list_contains($names, cell_id)
order by cell_id, scene_seed, run, episode_id"""
_SCORES = f"""\
select *, episode_id in ({UNREAD_EPISODES}) as is_unread
from episode.{{family}}
where list_contains($names, cell_id)
order by cell_id"""  # noqa: S608 - ours
_ESTIMATES = """\
select
    condition, model, variant, temperature, metric, n_episodes, estimate, se, n_replies, n_read
from metric.{family}
order by metric"""


class _CellRows(NamedTuple):
    """A cell, with its episodes, their requests and scores, and the cell's estimates."""

    cell: Row
    episodes: list[Row]
    asks: list[Row]
    scores: list[Row]
    estimates: list[Row]


def write_logs(
    directory: str | Sequence[str], folder: Path, draw: Draw = no_pictures
) -> tuple[Path, ...]:
    """Write one log per cell that has episodes.

    Args:
        draw: the pictures in the messages; those of one cell are in memory together.

    Returns:
        The files, named by family, condition, model and cell.

    Raises:
        NotADirectoryError: the run directory does not exist.
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with sound_run(directory, hold=True) as run:
        for family in run.families():
            for rows in _cells(run, family):
                path = folder / f"{file_name(rows.cell, 'cell_id')}.eval"
                write_eval_log(_log(rows, draw), str(path), format="eval")
                written.append(path)
    return tuple(written)


def _cells(run: Reading, family: str) -> Iterator[_CellRows]:
    cells = {row["cell_id"]: row for row in run.rows(_CELLS.format(family=family))}
    estimates: dict[tuple[Any, ...], list[Row]] = {}
    for row in run.rows(_ESTIMATES.format(family=family)):
        estimates.setdefault(_setting(row), []).append(row)
    for names in batches({name: cell["n_asks"] or 0 for name, cell in cells.items()}):
        asks, episodes, scores = (
            rows_by(run, sql.format(family=family), "cell_id", names)
            for sql in (asks_sql(family, "cell_id"), _EPISODES, _SCORES)
        )
        for name in names:
            cell = cells[name]
            own = estimates.get(_setting(cell), [])
            yield _CellRows(cell, episodes[name], asks.pop(name), scores[name], own)


def _setting(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("condition", "model", "variant", "temperature"))


def _log(rows: _CellRows, draw: Draw) -> EvalLog:
    cell, episodes, estimates = rows.cell, rows.episodes, rows.estimates
    scored = {row["episode_id"]: row for row in rows.scores}
    asks = by_episode(rows.asks)
    pictures = dict(draw([row["episode_id"] for row in episodes]))
    return EvalLog(
        status="success" if cell["n"] == cell["n_whole"] else "error",
        eval=_spec(cell, [row["episode_id"] for row in episodes]),
        results=EvalResults(
            total_samples=cell["n"],
            completed_samples=cell["n_whole"],
            scores=list(_results(estimates)),
        ),
        stats=EvalStats(started_at=cell["first_finished_at"], completed_at=cell["finished_at"]),
        samples=[
            sample_of(
                episode,
                asks.get(episode["episode_id"], []),
                _scores(scored[episode["episode_id"]], estimates),
                pictures.get(episode["episode_id"], {}),
            )
            for episode in episodes
        ],
    )


def _spec(cell: Row, episode_ids: list[str]) -> EvalSpec:
    return EvalSpec(
        eval_id=cell["cell_id"],
        run_id=cell["cell_id"],
        task_id=cell["cell_id"],
        created=cell["first_finished_at"],
        task=f"{cell['family']}/{cell['condition']}",
        task_args={"variant": cell["variant"]},
        dataset=EvalDataset(
            name=cell["sweep"], samples=len(episode_ids), sample_ids=list(episode_ids)
        ),
        model=cell["model"],
        model_generate_config=GenerateConfig(temperature=cell["temperature"]),
        config=EvalConfig(),
        metadata={"sweep": cell["sweep"], "variant": cell["variant"]},
    )


def _scores(scored: Row, estimates: list[Row]) -> Mapping[str, float]:
    names = [row["metric"] for row in estimates if scored.get(row["metric"]) is not None]
    return {name: nan if scored["is_unread"] else scored[name] for name in names}


def _results(estimates: list[Row]) -> Iterator[EvalScore]:
    for row in estimates:
        values = {"mean": row["estimate"], "stderr": row["se"]}
        yield EvalScore(
            name=row["metric"],
            scorer=row["metric"],
            scored_samples=row["n_episodes"],
            metadata={key: row[key] for key in ("n_replies", "n_read")},
            metrics={
                name: EvalMetric(name=name, value=value)
                for name, value in values.items()
                if value is not None
            },
        )
