-- grain: one row per family, condition, model, temperature, variant, n_options, position
-- How often each position in the list was chosen, over all requests, including shifts, and how
-- often it had the right option: share - right_share is a bias for or against the position. `n`
-- pictures or scenes; Wilson's interval on their effective number.
with asks as (
    select
        struct_pack(
            scores.family, scores.condition, scores.model, scores.temperature, scores.variant
        ) as cell,
        scores.n_options,
        scores.cluster,
        asks.choice_position,
        asks.answer_position
    from stage.mirrorqa_asks as asks
    inner join episode.mirrorqa as scores using (episode_id)
    where not scores.failed
),

places as (
    select
        *,
        unnest(range(1, n_options + 1))::integer as position
    from asks
),

units as (
    select
        cell,
        n_options,
        position,
        cluster,
        count(choice_position) as unit_n,
        count(*) filter (where choice_position = position)::double as unit_sum,
        count(*) as n_asks,
        count(*) filter (where answer_position = position) as n_right
    from places
    group by cell, n_options, position, cluster
),

counts as (
    select
        cell,
        n_options,
        position,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_readable,
        sum(unit_sum)::bigint as n_chosen,
        sum(unit_sum) / nullif(sum(unit_n), 0) as share,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective,
        sum(n_right) / sum(n_asks) as right_share
    from units
    group by cell, n_options, position
)

select
    cell.*,
    n_options,
    position,
    n,
    n_readable,
    n_chosen,
    share,
    macro.wilson_low(share * n_effective, n_effective) as ci_low,
    macro.wilson_high(share * n_effective, n_effective) as ci_high,
    right_share
from counts
