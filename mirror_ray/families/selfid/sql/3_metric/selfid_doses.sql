-- grain: one row per condition, model, temperature, setting, axis, level
-- Task success by dose of the mirror: one axis varies, and `setting` has the label of all others. A
-- scene counts once, because repetitions are other scenes. own_px is the median number of pixels of
-- the ego's reflection in the first frame. Episodes with an error are left out; an axis with one
-- level is not a dose.
-- replies: condition; temperature; model
with axes as (
    select unnest([
        'mirror_side_m',
        'mirror_reflectance',
        'mirror_blur_deg',
        'mirror_cover',
        'mirror_tilt_deg',
        'mirror_distance_m'
    ]) as axis
),

-- An axis with several levels has several labels; episodes of other axes are not read.
varied as (
    select
        variant,
        axis,
        regexp_replace(variant, '\+' || axis || '=[^+]*', '') as setting
    from stage.selfid_episodes_labels
    cross join axes
    qualify count(*) over (partition by axis, setting) > 1
),

facts as (
    select
        episode_id, mirror_side_m, mirror_reflectance, mirror_blur_deg, mirror_cover,
        mirror_tilt_deg, mirror_distance_m
    from stage.selfid_episodes
    where variant in (select variant from varied)
),

levels as (
    select
        scores.family, scores.condition, scores.model, scores.temperature, scores.variant,
        scores.tsa,
        scores.first_px as own_px,
        unnest([
            {'axis': 'mirror_side_m', 'level': coalesce(facts.mirror_side_m, 2)},
            {'axis': 'mirror_reflectance', 'level': coalesce(facts.mirror_reflectance, 1)},
            {'axis': 'mirror_blur_deg', 'level': coalesce(facts.mirror_blur_deg, 0)},
            {'axis': 'mirror_cover', 'level': coalesce(facts.mirror_cover, 0)},
            {'axis': 'mirror_tilt_deg', 'level': coalesce(facts.mirror_tilt_deg, 0)},
            {'axis': 'mirror_distance_m', 'level': facts.mirror_distance_m}
        ], recursive := true)
    from episode.selfid as scores
    inner join facts using (episode_id)
    where scores.mirror_present and not scores.failed
),

told_apart as (
    select
        levels.* exclude (variant),
        varied.setting
    from levels
    inner join varied using (variant, axis)
    where level is not null
),

counted as (
    select
        family, condition, model, temperature, setting, axis, level,
        count(tsa) as n,
        sum(tsa) as n_right,
        median(own_px) as own_px
    from told_apart
    group by family, condition, model, temperature, setting, axis, level
)

select
    *,
    n_right / n as estimate,
    macro.wilson_low(n_right, n) as ci_low,
    macro.wilson_high(n_right, n) as ci_high
from counted
qualify count(*) over (partition by family, condition, model, temperature, setting, axis) > 1
