-- grain: one row per family, condition, model, temperature, variant, metric, radius_m
-- Being near the selected cube at done, as a function of the radius in metres between centres.
-- near: of the episodes that selected a cube, those near it. tsa_near: task success that also
-- requires being near. The grid is a parameter: set variable near_radius_grid = [1].
with grid as (
    select unnest(list_sort(list_distinct(coalesce(
        getvariable('near_radius_grid'), [0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0]
    ))))::double as radius_m
),

selected as (
    select
        scores.episode_id,
        list_position(facts.cube_colors, scores.final_cube) as cube,
        sqrt(
            (played.x_m - facts.cube_x_m[cube]) ** 2 + (played.y_m - facts.cube_y_m[cube]) ** 2
        ) as distance_m
    from episode.selfid as scores
    inner join stage.selfid_episodes as facts using (episode_id)
    inner join stage.selfid_steps as played
        on scores.episode_id = played.episode_id and scores.t_done = played.step
    where len(facts.cube_x_m) > 0
),

flags as (
    select
        struct_pack(
            scores.family, scores.condition, scores.model, scores.temperature, scores.variant
        ) as cell,
        grid.radius_m,
        unnest([
            {'metric': 'near', 'flag': selected.distance_m <= grid.radius_m},
            {
                'metric': 'tsa_near',
                'flag': scores.tsa = 1 and coalesce(selected.distance_m <= grid.radius_m, false)
            }
        ], recursive := true)
    from episode.selfid as scores
    inner join stage.selfid_episodes as facts using (episode_id)
    cross join grid
    left join selected using (episode_id)
    where not scores.failed and len(facts.cube_x_m) > 0
),

totals as (
    select
        cell,
        metric,
        radius_m,
        count(flag) as n,
        count(*) filter (where flag) as k
    from flags
    group by cell, metric, radius_m
)

select
    cell.*,
    metric,
    radius_m,
    n,
    k / nullif(n, 0) as estimate,
    sqrt(k / nullif(n, 0) * (1 - k / nullif(n, 0)) / nullif(n - 1, 0)) as se,
    macro.wilson_low(k, n) as ci_low,
    macro.wilson_high(k, n) as ci_high,
    'wilson' as method
from totals
