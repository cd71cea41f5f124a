"""Reads from the run's views whether each episode is right, its answers, its scene and its failure.

The family's leading score, the first metric in its tables, decides whether an episode is right."""

from typing import Any

import duckdb

from mirror_ray.analysis.quoting import identifier, literal
from mirror_ray.contract.metrics import METRICS

_STEP_VIEWS = "select view_name from duckdb_views() where schema_name = 'stage'"
EPISODE_VIEWS = "select view_name from duckdb_views() where schema_name = 'episode' order by all"

# Scenes are equal if everything that determines the pictures is equal: see `metric.scores`.
_CLASSES = """
select
    answers.episode_id,
    if(unread.episode_id is null, scores.score, null) as score,
    left(answers.gold, {chars}) as gold,
    left(answers.answer, {chars}) as answer,
    if(
        scores.cluster is null,
        null,
        left(md5(concat_ws(
            chr(31), scores.family, scores.scene_seed, scores.run, scores.cluster, scores.item
        )), 16)
    ) as scene,
    failures.failure
from metric.answers as answers
left join (from metric.scores where {leads}) as scores using (episode_id)
left join ({failures}) as failures using (episode_id)
left join ({unread}) as unread using (episode_id)
"""
EPISODES_WITHOUT_READING = """
select episode_id from stage.{steps}
group by episode_id having bool_and(parse_status = 'failed')
"""
"""Selects episodes of which no reply was read: they are unscored, not wrong."""

_NO_FAILURES = "select null::varchar as episode_id, null::varchar as failure where false"

VERDICT = """
case
    when error_kind <> 'none' then 'error'
    when {score} is null then 'unscored'
    when {score} >= 1 then 'right'
    when {score} <= 0 then 'wrong'
    else 'partly'
end"""
"""One of `filters.FILTER_VERDICTS`, computed from `error_kind` and the leading score."""

_CLASSIFIED = """
create or replace table listed as
select listed.* replace (
    {} as verdict,
    classes.score as score,
    classes.gold as gold,
    classes.answer as answer,
    classes.scene as scene,
    classes.failure as failure
)
from listed
left join classes using (episode_id)
"""

_MOST_CHARS = 300
"""Longer answers are cut; the episode's page shows them whole."""


def classes(views: duckdb.DuckDBPyConnection) -> Any:
    """Return an Arrow table with a row for each episode of a family's views."""
    # A query of duckdb_columns() would bind every view of the run.
    failures = " union all ".join(
        f"select episode_id, failure from episode.{name}"  # noqa: S608 - our own names
        for name in (identifier(view) for (view,) in views.execute(EPISODE_VIEWS).fetchall())
        if {"episode_id", "failure"} <= set(views.sql(f"from episode.{name}").columns)
    )
    leads = " or ".join(
        f"(family = {literal(family)} and metric = {literal(of.leading)})"
        for family, of in METRICS.items()
    )
    known = {view for (view,) in views.execute(_STEP_VIEWS).fetchall()}
    steps = [f"{family}_steps" for family in METRICS if f"{family}_steps" in known]
    unread = " union all ".join(EPISODES_WITHOUT_READING.format(steps=one) for one in steps)
    sql = _CLASSES.format(
        chars=_MOST_CHARS,
        leads=leads,
        failures=failures or _NO_FAILURES,
        unread=unread or _NO_FAILURES,
    )
    return views.sql(sql).to_arrow_table()


def add_classes(listed: duckdb.DuckDBPyConnection, found: Any) -> None:
    """Fill these columns into the table `listed`."""
    with listed.cursor() as cursor:
        cursor.register("classes", found)
        cursor.execute(_CLASSIFIED.format(VERDICT.format(score="classes.score")))
