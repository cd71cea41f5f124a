-- grain: one row per family, condition, model, temperature, variant, axis, level
-- Accuracy along what makes a picture of the simulation hard: what is asked about, how the subject
-- stands to its viewer, how many there are, how it is shown, how much of the limb is hidden.
with levels as (
    select
        *,
        unnest([
            {'axis': 'part', 'level': kind || ' ' || part, 'rank': 0},
            {'axis': 'mark', 'level': mark, 'rank': 0},
            {'axis': 'facing', 'level': facing, 'rank': 0},
            {'axis': 'shown', 'level': shown, 'rank': 0},
            {'axis': 'subjects', 'level': n_subjects::varchar, 'rank': n_subjects},
            {
                'axis': 'azimuth',
                'level': azimuth_from || '–' || (azimuth_from + 30) || '°',
                'rank': azimuth_from
            },
            {
                'axis': 'hidden',
                'level': hidden_from || '–' || (hidden_from + 25) || ' %',
                'rank': hidden_from
            }
        ], recursive := true)
    from (
        select
            *,
            least(150, 30 * floor(abs(azimuth_deg) / 30))::integer as azimuth_from,
            least(
                75, 25 * floor(4 * limb_hidden_px / nullif(limb_px + limb_hidden_px, 0))
            )::integer as hidden_from
        from episode.mirrorqa
        where part is not null
    )
)

select
    family,
    condition,
    model,
    temperature,
    variant,
    axis,
    level,
    any_value(rank) as rank,
    count(accuracy) as n,
    avg(accuracy) as estimate,
    macro.wilson_low(sum(accuracy), count(accuracy)) as ci_low,
    macro.wilson_high(sum(accuracy), count(accuracy)) as ci_high,
    'wilson' as method
from levels
where level is not null
group by family, condition, model, temperature, variant, axis, level
