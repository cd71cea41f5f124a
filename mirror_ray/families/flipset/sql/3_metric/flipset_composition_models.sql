-- grain: one row per family, temperature, variant
-- The compositional deficit over models: median, quartiles, and how many have one. Negative: L2 is
-- worse than its parts combined.
-- replies: where condition in ('L2', 'ToM', 'MR')
select
    family, temperature, variant,
    count(*) as n,
    median(estimate) as median_deficit,
    quantile_cont(estimate, 0.25) as lower_quartile,
    quantile_cont(estimate, 0.75) as upper_quartile,
    count(*) filter (where estimate < 0) as n_negative,
    count(*) filter (where ci_high < 0) as n_negative_p05
from metric.flipset_composition
where metric = 'deficit'
group by family, temperature, variant
