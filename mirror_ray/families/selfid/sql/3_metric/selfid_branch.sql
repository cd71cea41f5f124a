-- grain: one row per family, condition, model, temperature, variant, metric
-- The effect of a change during an episode, over episode.selfid_branch. held: of the branches that
-- had stated a colour, those that end stating it; held_own: of those that had stated their own
-- colour; followed_lie: of those whose prompt begins to lie; tsa: all; parent_tsa: the success of
-- the parents, in the same scenes without the change. The bounds count every failed branch as 0 or
-- as 1.
with flags as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        failed,
        unnest([
            {'metric': 'held', 'flag': held},
            {'metric': 'held_own', 'flag': if(knew, held, null)},
            {
                'metric': 'followed_lie',
                'flag': if(wrong_color is null, null, outcome = 'lie')
            },
            {'metric': 'tsa', 'flag': tsa = 1},
            {'metric': 'parent_tsa', 'flag': if(failed, null, parent_tsa = 1)}
        ], recursive := true)
    from episode.selfid_branch
),

totals as (
    select
        cell,
        metric,
        count(flag) as n,
        count(*) filter (where flag) as k,
        count(*) filter (where failed) as n_failed
    from flags
    group by cell, metric
)

select
    cell.*,
    metric,
    n,
    k / nullif(n, 0) as estimate,
    sqrt(k / nullif(n, 0) * (1 - k / nullif(n, 0)) / nullif(n - 1, 0)) as se,
    macro.wilson_low(k, n) as ci_low,
    macro.wilson_high(k, n) as ci_high,
    'wilson' as method,
    n_failed,
    if(n = 0, null, k / (n + n_failed)) as low_if_failed,
    if(n = 0, null, (k + n_failed) / (n + n_failed)) as high_if_failed
from totals
