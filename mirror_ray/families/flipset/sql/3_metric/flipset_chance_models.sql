-- grain: one row per family, condition, temperature, variant
-- How many models are below and above chance (arXiv 2602.15892 counts those below), by their
-- accuracy and by the exact tests of metric.flipset_chance at 5 %.
-- replies: condition; temperature; variant
select
    family, condition, temperature, variant,
    count(*) as n,
    any_value(chance) as chance,
    count(*) filter (where estimate < chance) as n_below,
    count(*) filter (where p_below < 0.05) as n_below_p05,
    count(*) filter (where estimate > chance) as n_above,
    count(*) filter (where p_above < 0.05) as n_above_p05,
    median(estimate) as median_accuracy,
    avg(estimate) as mean_accuracy
from metric.flipset_chance
group by family, condition, temperature, variant
