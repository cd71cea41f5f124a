-- grain: one row per family, condition, model, temperature, variant, metric
-- Means over the episodes where the score is defined, each of another scene. Proportions have
-- Wilson's interval, counts of steps the BCa one over scenes, as of the last bootstrap of this run,
-- or none. Failed episodes are left out; low_if_failed and high_if_failed say what the
-- estimate would be had all of them scored worst or best.
with totals as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        count(*) filter (where failed) as n_failed,
        max(max_steps) as most_steps,
        avg(chance) filter (where not failed) as chance,
        unnest([
            {'metric': 'tsa', 'n': count(tsa), 'total': sum(tsa), 'sd': stddev_samp(tsa)},
            {'metric': 'ttd', 'n': count(ttd), 'total': sum(ttd), 'sd': stddev_samp(ttd)},
            {'metric': 'mcr', 'n': count(mcr), 'total': sum(mcr), 'sd': stddev_samp(mcr)},
            {'metric': 'mtato', 'n': count(mtato), 'total': sum(mtato), 'sd': stddev_samp(mtato)},
            {'metric': 'caal', 'n': count(caal), 'total': sum(caal), 'sd': stddev_samp(caal)},
            {'metric': 'cr', 'n': count(cr), 'total': sum(cr), 'sd': stddev_samp(cr)},
            {'metric': 'tsa_c', 'n': count(tsa_c), 'total': sum(tsa_c), 'sd': stddev_samp(tsa_c)},
            {'metric': 'mgd', 'n': count(mgd), 'total': sum(mgd), 'sd': stddev_samp(mgd)},
            {'metric': 'arsc', 'n': count(arsc), 'total': sum(arsc), 'sd': stddev_samp(arsc)},
            {'metric': 'sc', 'n': count(sc), 'total': sum(sc), 'sd': stddev_samp(sc)},
            {
                'metric': 'sc_final',
                'n': count(sc_final),
                'total': sum(sc_final),
                'sd': stddev_samp(sc_final)
            }
        ], recursive := true)
    from episode.selfid
    group by family, condition, model, temperature, variant
),

estimates as (
    select
        * exclude (chance, total),
        total::double as total,
        total / n as estimate,
        sd / sqrt(n) as se,
        metric in ('ttd', 'mgd') as is_count,
        if(metric in ('tsa', 'tsa_c'), chance, null) as chance
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
    if(
        is_count, stored.ci_low, macro.wilson_low(total, estimates.n)
    ) as ci_low,
    if(
        is_count, stored.ci_high, macro.wilson_high(total, estimates.n)
    ) as ci_high,
    if(is_count, 'bca', 'wilson') as method,
    chance,
    n_failed,
    (total + if(estimates.metric = 'ttd', n_failed, 0)) / (estimates.n + n_failed)
        as low_if_failed,
    (total + n_failed * if(is_count, most_steps, 1)) / (estimates.n + n_failed)
        as high_if_failed
from estimates
left join shard.selfid_intervals as stored
    on
        estimates.is_count
        and stored.parameters = 'mirror_px_threshold=' || macro.evidence_px(640, 480)
        and estimates.condition = stored.condition
        and estimates.model = stored.model
        and estimates.temperature is not distinct from stored.temperature
        and estimates.variant = stored.variant
        and estimates.metric = stored.metric
        and estimates.n = stored.n_scenes
        and abs(estimates.estimate - stored.estimate) < 1e-9
