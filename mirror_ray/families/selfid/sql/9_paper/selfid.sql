-- grain: one row per condition, model, temperature, variant, metric
-- The metrics of arXiv 2605.08816 by model and condition: means over episodes with their standard
-- errors, as in the paper. `reference` is what the paper states for every model: without a mirror
-- MCR, MGD and ARSC are 0, and `n_reference` is its 21 episodes per cell. The results of its models
-- are not known here: NULL.
select
    {cell},
    metric,
    n,
    n_failed,
    estimate,
    se,
    ci_low,
    ci_high,
    chance,
    if(condition = 'E2' and metric in ('mcr', 'mgd', 'arsc'), 0.0::double, null) as reference,
    21 as n_reference,
    'arXiv 2605.08816' as source
from metric.selfid
where
    condition in ('E1', 'E2', 'E3', 'E4', 'E5')
    and metric in ('tsa', 'ttd', 'mcr', 'mtato', 'caal', 'cr', 'tsa_c', 'mgd', 'arsc', 'sc')
order by
    variant,
    temperature,
    condition,
    model,
    list_position(
        ['tsa', 'ttd', 'mcr', 'mtato', 'caal', 'cr', 'tsa_c', 'mgd', 'arsc', 'sc'], metric
    )
