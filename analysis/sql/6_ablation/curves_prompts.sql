-- grain: one row per curve, metric
-- How much a metric depends on the prompts: over the prompt sets of a curve of ablation.curves, all
-- else equal, the estimate under the family's own prompts (NULL if not played), the lowest and the
-- highest with their sets, the range between them, and the standard deviation over sets.
select
    curve, family, condition, model, temperature, label, metric, direction,
    count(*) as n_sets,
    min(n) as n_least,
    max(estimate) filter (where is_default) as own_prompts,
    min(estimate) as lowest,
    arg_min(value, estimate) as lowest_set,
    max(estimate) as highest,
    arg_max(value, estimate) as highest_set,
    max(estimate) - min(estimate) as spread,
    stddev_samp(estimate) as sd,
    sum(n_replies)::bigint as n_replies,
    sum(n_read)::bigint as n_read
from ablation.curves
where axis = 'prompts'
group by all
