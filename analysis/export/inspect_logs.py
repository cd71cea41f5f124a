"""A run as Inspect's `.eval` logs, one per cell: for its viewer and its dataframes.

Knows cells and their metrics; does not know how the files are laid out: Inspect's own library
writes them.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

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

from analysis.export.inspect_samples import sample_of
from analysis.reading import Reading, Row
from analysis.warehouse import open_run

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
    count(*) filter (where error_kind = 'none') as n_whole,
    min(finished_at) as first_finished_at,
    max(finished_at) as finished_at
from stage.{family}_episodes
group by cell_id
order by condition, model, cell_id"""
_ASKS = """\
from shard.{family}_steps
semi join stage.{family}_episodes using (episode_id, take)
where cell_id = '{cell}'
order by episode_id, ask"""
_ESTIMATES = """\
select metric, n, n_failed, estimate, se
from metric.{family}
where
    condition = (select any_value(condition) from stage.{family}_episodes where {cell})
    and model = (select any_value(model) from stage.{family}_episodes where {cell})
    and variant = (select any_value(variant) from stage.{family}_episodes where {cell})
    and temperature is not distinct from (
        select any_value(temperature) from stage.{family}_episodes where {cell}
    )
order by metric"""


def write_logs(directory: str, folder: Path) -> tuple[Path, ...]:
    """Write one log per cell that has episodes.

    Returns:
        The files, named by family, condition, model and cell.

    Raises:
        NotADirectoryError: there is no such run directory.
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with open_run(directory, hold=True) as connection:
        run = Reading(connection)
        for family in run.families():
            for cell in run.rows(_CELLS.format(family=family)):
                path = folder / f"{_file_name(cell)}.eval"
                write_eval_log(_log(run, cell), str(path), format="eval")
                written.append(path)
    return tuple(written)


def _file_name(cell: Row) -> str:
    words = (cell["family"], cell["condition"], cell["model"], cell["cell_id"])
    return "_".join("".join(c if c.isalnum() or c in ".-" else "-" for c in w) for w in words)


def _log(run: Reading, cell: Row) -> EvalLog:
    family, cell_id = cell["family"], cell["cell_id"]
    estimates = run.rows(_ESTIMATES.format(family=family, cell=f"cell_id = '{cell_id}'"))
    scored = {
        row["episode_id"]: row
        for row in run.rows(f"from episode.{family} where cell_id = '{cell_id}'")
    }
    asks = {
        episode_id: list(rows)
        for episode_id, rows in groupby(
            run.rows(_ASKS.format(family=family, cell=cell_id)), key=lambda row: row["episode_id"]
        )
    }
    episodes = run.rows(
        f"from stage.{family}_episodes where cell_id = '{cell_id}' "
        "order by scene_seed, run, episode_id"
    )
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


def _scores(scored: Row, estimates: list[Row]) -> Mapping[str, float | None]:
    """Of the family's metrics those that an episode has a score for."""
    names = [row["metric"] for row in estimates]
    return {name: scored[name] for name in names if name in scored}


def _results(estimates: list[Row]) -> Iterator[EvalScore]:
    for row in estimates:
        values = {"mean": row["estimate"], "stderr": row["se"]}
        yield EvalScore(
            name=row["metric"],
            scorer=row["metric"],
            scored_samples=row["n"],
            metrics={
                name: EvalMetric(name=name, value=value)
                for name, value in values.items()
                if value is not None
            },
        )
