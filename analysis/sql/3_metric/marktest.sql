-- grain: one row per family, condition, model, temperature, variant, metric
-- Means over the episodes where the score is defined, each of another scene. Proportions have
-- Wilson's interval, counts of steps the BCa one over scenes, as of the last bootstrap of this run,
-- or none. Failed episodes are left out; low_if_failed and high_if_failed say what the estimate
-- would be had all of them scored lowest or highest.
with totals as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        count(*) filter (where failed) as n_failed,
        max(max_steps) as most_steps,
        unnest([
            {
                'metric': 'passed',
                'n': count(passed),
                'total': sum(passed),
                'sd': stddev_samp(passed)
            },
            {
                'metric': 'saw_mark',
                'n': count(saw_mark),
                'total': sum(saw_mark),
                'sd': stddev_samp(saw_mark)
            },
            {
                'metric': 'on_mark',
                'n': count(on_mark),
                'total': sum(on_mark),
                'sd': stddev_samp(on_mark)
            },
            {
                'metric': 'on_place',
                'n': count(on_place),
                'total': sum(on_place),
                'sd': stddev_samp(on_place)
            },
            {
                'metric': 'on_counterpart',
                'n': count(on_counterpart),
                'total': sum(on_counterpart),
                'sd': stddev_samp(on_counterpart)
            },
            {
                'metric': 'on_image',
                'n': count(on_image),
                'total': sum(on_image),
                'sd': stddev_samp(on_image)
            },
            {
                'metric': 'on_surface',
                'n': count(on_surface),
                'total': sum(on_surface),
                'sd': stddev_samp(on_surface)
            },
            {
                'metric': 'on_other',
                'n': count(on_other),
                'total': sum(on_other),
                'sd': stddev_samp(on_other)
            },
            {
                'metric': 'first_touch',
                'n': count(first_touch),
                'total': sum(first_touch),
                'sd': stddev_samp(first_touch)
            },
            {
                'metric': 'false_mark',
                'n': count(false_mark),
                'total': sum(false_mark),
                'sd': stddev_samp(false_mark)
            },
            {
                'metric': 'false_none',
                'n': count(false_none),
                'total': sum(false_none),
                'sd': stddev_samp(false_none)
            },
            {
                'metric': 'social',
                'n': count(social),
                'total': sum(social),
                'sd': stddev_samp(social)
            },
            {
                'metric': 'says_self',
                'n': count(says_self),
                'total': sum(says_self),
                'sd': stddev_samp(says_self)
            }
        ], recursive := true)
    from episode.marktest
    group by family, condition, model, temperature, variant
),

estimates as (
    select
        * exclude (total),
        total::double as total,
        total / n as estimate,
        sd / sqrt(n) as se,
        metric = 'first_touch' as is_count
    from totals
)

select
    estimates.family,
    estimates.condition,
    estimates.model,
    estimates.temperature,
    estimates.variant,
    estimates.metric,
    estimates.n,
    estimates.n as n_episodes,
    estimates.estimate,
    estimates.se,
    if(is_count, stored.ci_low, macro.wilson_low(total, estimates.n)) as ci_low,
    if(is_count, stored.ci_high, macro.wilson_high(total, estimates.n)) as ci_high,
    if(is_count, 'bca', 'wilson') as method,
    null::double as chance,
    n_failed,
    (total + if(is_count, n_failed, 0)) / (estimates.n + n_failed) as low_if_failed,
    (total + n_failed * if(is_count, most_steps, 1)) / (estimates.n + n_failed)
        as high_if_failed
from estimates
left join shard.marktest_intervals as stored
    on
        estimates.is_count
        and estimates.condition = stored.condition
        and estimates.model = stored.model
        and estimates.temperature is not distinct from stored.temperature
        and estimates.variant = stored.variant
        and estimates.metric = stored.metric
        and estimates.n = stored.n_scenes
        and abs(estimates.estimate - stored.estimate) < 1e-9
