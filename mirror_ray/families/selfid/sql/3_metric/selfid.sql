-- grain: one row per family, condition, model, temperature, variant, metric
-- Means over the episodes for which the score is defined, each in a different scene. Proportions
-- have Wilson's interval, counts of steps the BCa interval over scenes from the last bootstrap of
-- this run, if any. Episodes with an error are left out; low_if_failed and high_if_failed are the
-- estimates if all of them scored lowest or highest.
with scores as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        struct_pack(failed, max_steps, chance) as facts,
        {scores}
    from episode.selfid
),

-- One pass: a row per episode and metric would take several times as long.
sums as (
    select
        cell,
        count(*) filter (where facts.failed) as n_failed,
        max(facts.max_steps) as most_steps,
        avg(facts.chance) filter (where not facts.failed) as chance,
        struct_pack(
            n := count(columns(* exclude (cell, facts))),
            total := sum(columns(* exclude (cell, facts)))::double,
            deviation := stddev_samp(columns(* exclude (cell, facts)))
        )
    from scores
    group by cell
),

estimates as (
    select
        * exclude (chance, score),
        score.*,
        {chance} as chance,
        score.total / score.n as estimate,
        {kind} = 'count' as is_count
    from sums
    unpivot (score for metric in ({scores}))
)

select
    unnest(estimates.cell),
    estimates.metric,
    estimates.n,
    estimates.n as n_episodes,
    estimates.estimate,
    deviation / sqrt(estimates.n) as se,
    if(is_count, stored.ci_low, macro.wilson_low(total, estimates.n)) as ci_low,
    if(is_count, stored.ci_high, macro.wilson_high(total, estimates.n)) as ci_high,
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
        and estimates.cell = struct_pack(
            stored.family, stored.condition, stored.model, stored.temperature, stored.variant
        )
        and estimates.metric = stored.metric
        and estimates.n = stored.n_scenes
        and abs(estimates.estimate - stored.estimate) < 1e-9
