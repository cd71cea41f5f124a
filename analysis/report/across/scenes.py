"""Which scenes a run has played, and when."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import moment, number_column, words
from mirror_ray.analysis.report.section import ReportTable

_MOST_RANGES = 20
_SCENES = """\
with episodes as (
{episodes}
),

-- Seeds that follow one another are as far from their rank.
ranked as (
    select
        family,
        condition,
        scene_seed,
        scene_seed - row_number() over (
            partition by family, condition order by scene_seed
        ) as streak
    from (select distinct family, condition, scene_seed from episodes)
),

ranges as (
    select
        family,
        condition,
        min(scene_seed) as lowest,
        concat_ws('–', min(scene_seed), nullif(max(scene_seed), min(scene_seed))) as said
    from ranked
    group by family, condition, streak
),

seeds as (
    select
        family,
        condition,
        array_to_string(list(said order by lowest)[:{most}], ', ')
        || if(count(*) > {most}, ', …', '') as seeds
    from ranges
    group by family, condition
)

select
    family,
    condition,
    count(*) as n_episodes,
    any_value(seeds.seeds) as seeds,
    count(distinct scene_seed) as n_seeds,
    count(distinct run) as n_runs,
    min(finished_at) as first,
    max(finished_at) as last
from episodes
inner join seeds using (family, condition)
group by family, condition
order by family, condition"""


def scenes(run: Reading) -> ReportTable:
    """List the seeds of each condition as ranges, with the repetitions and the dates."""
    columns = "family, condition, scene_seed, run, finished_at"
    sql = _SCENES.format(episodes=run.every("stage", "episodes", columns), most=_MOST_RANGES)
    return ReportTable(
        "how_scenes",
        "Scenes and dates",
        "Scene seeds, how often each was repeated, and when episodes ended.",
        sql,
        run.table(sql),
        (
            words("condition", "condition"),
            number_column("n_episodes", "episodes"),
            words("seeds", "scene seeds"),
            number_column("n_seeds", "how many"),
            number_column("n_runs", "runs"),
            moment("first", "first ended"),
            moment("last", "last ended"),
        ),
        group=lambda row: str(row["family"]),
    )
