-- grain: one row per family, model, temperature, variant, metric
-- Whether L2 equals its parts (arXiv 2602.15892): product = ToM × MR, deficit = L2 minus the
-- product; negative: the parts are there but not combined. Over strings that all three conditions
-- have. These two have delta-method intervals over strings as clusters, because a string's episodes
-- are alike, with Student's t, cut at the ends of the scale; no interval if strings do not differ.
-- The shares have Wilson's interval on the effective number of strings, as in `metric.flipset`,
-- with which they agree unless it has other strings.
-- replies: where condition in ('L2', 'ToM', 'MR')
with items as (
    select
        struct_pack(family, model, temperature, variant) as cell,
        item,
        count(accuracy) filter (where condition = 'L2') as l2_n,
        count(accuracy) filter (where condition = 'ToM') as tom_n,
        count(accuracy) filter (where condition = 'MR') as mr_n,
        sum(accuracy) filter (where condition = 'L2') as l2_sum,
        sum(accuracy) filter (where condition = 'ToM') as tom_sum,
        sum(accuracy) filter (where condition = 'MR') as mr_sum
    from episode.flipset
    group by all
    having least(l2_n, tom_n, mr_n) > 0
),

totals as (
    select
        cell,
        sum(l2_n) as l2_n,
        sum(tom_n) as tom_n,
        sum(mr_n) as mr_n,
        sum(l2_sum) / sum(l2_n) as l2,
        sum(tom_sum) / sum(tom_n) as tom,
        sum(mr_sum) / sum(mr_n) as mr,
        macro.effective_n_cautious(l2_sum, l2_n) as l2_effective,
        macro.effective_n_cautious(tom_sum, tom_n) as tom_effective,
        macro.effective_n_cautious(mr_sum, mr_n) as mr_effective
    from items
    group by all
),

-- The influence of a string on each share.
pulls as (
    select
        items.cell, totals.l2, totals.tom, totals.mr, totals.l2_effective, totals.tom_effective,
        totals.mr_effective,
        (items.l2_sum - totals.l2 * items.l2_n) / totals.l2_n as l2_pull,
        (items.tom_sum - totals.tom * items.tom_n) / totals.tom_n as tom_pull,
        (items.mr_sum - totals.mr * items.mr_n) / totals.mr_n as mr_pull
    from items
    inner join totals using (cell)
),

parts as (
    select
        cell,
        unnest([
            {'metric': 'l2', 'estimate': l2, 'pull': l2_pull, 'n_effective': l2_effective},
            {'metric': 'tom', 'estimate': tom, 'pull': tom_pull, 'n_effective': tom_effective},
            {'metric': 'mr', 'estimate': mr, 'pull': mr_pull, 'n_effective': mr_effective},
            {
                'metric': 'product',
                'estimate': tom * mr,
                'pull': mr * tom_pull + tom * mr_pull,
                'n_effective': null
            },
            {
                'metric': 'deficit',
                'estimate': l2 - tom * mr,
                'pull': l2_pull - mr * tom_pull - tom * mr_pull,
                'n_effective': null
            }
        ], recursive := true)
    from pulls
),

spreads as (
    select
        cell,
        metric,
        count(*) as n_items,
        any_value(estimate) as estimate,
        any_value(n_effective) as n_effective,
        if(metric = 'deficit', -1, 0) as least_share,
        -- Ignore rounding errors.
        nullif(
            round(sqrt(sum(pull * pull) * count(*) / nullif(count(*) - 1, 0)), 12), 0
        ) as se
    from parts
    group by all
)

select
    cell.*,
    metric,
    n_items as n,
    estimate,
    se,
    if(
        n_effective is not null,
        macro.wilson_low(estimate * n_effective, n_effective),
        if(se > 0, greatest(estimate - macro.t_95(n_items - 1) * se, least_share), null)
    ) as ci_low,
    if(
        n_effective is not null,
        macro.wilson_high(estimate * n_effective, n_effective),
        if(se > 0, least(estimate + macro.t_95(n_items - 1) * se, 1), null)
    ) as ci_high,
    if(n_effective is not null, 'wilson', 'delta over strings') as method
from spreads
