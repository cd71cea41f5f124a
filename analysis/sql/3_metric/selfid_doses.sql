-- grain: one row per condition, model, temperature, setting, axis, level
-- Task success by how much the mirror gives: one axis varies, `setting` holds what the label says
-- of all others. A scene counts once: repetitions are of other scenes. own_px is the median number
-- of pixels of the own reflection in the first frame. Failed episodes are left out; an axis
-- that has one level is no dose.
with first_frames as (
    select
        episode_id,
        arg_min(ego_reflection_px, step) as own_px
    from stage.selfid_steps
    group by episode_id
),

levels as (
    select
        scores.family,
        scores.condition,
        scores.model,
        scores.temperature,
        scores.variant,
        scores.tsa,
        first_frames.own_px,
        unnest([
            {'axis': 'mirror_side_m', 'level': coalesce(facts.mirror_side_m, 2)},
            {'axis': 'mirror_reflectance', 'level': coalesce(facts.mirror_reflectance, 1)},
            {'axis': 'mirror_blur_deg', 'level': coalesce(facts.mirror_blur_deg, 0)},
            {'axis': 'mirror_cover', 'level': coalesce(facts.mirror_cover, 0)},
            {'axis': 'mirror_tilt_deg', 'level': coalesce(facts.mirror_tilt_deg, 0)},
            {'axis': 'mirror_distance_m', 'level': facts.mirror_distance_m}
        ], recursive := true)
    from episode.selfid as scores
    inner join stage.selfid_episodes as facts using (episode_id)
    left join first_frames using (episode_id)
    where scores.mirror_present and not scores.failed
),

told_apart as (
    select
        * exclude (variant),
        regexp_replace(variant, '\+' || axis || '=[^+]*', '') as setting
    from levels
    where level is not null
),

counted as (
    select
        family,
        condition,
        model,
        temperature,
        setting,
        axis,
        level,
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
