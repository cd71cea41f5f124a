-- grain: one row per family, condition, model_family, temperature, variant, metric
-- By model family: the mean over its models, with an interval from their spread (Student's t, cut
-- at 0 and 1); each model counts once, regardless of its number of episodes. smallest_b and
-- largest_b: the range of known sizes in 10⁹ parameters.
-- replies: condition; model_family = macro.model_family(model); temperature; variant
with members as (
    select
        family,
        condition,
        macro.model_family(model) as model_family,
        macro.model_size_b(model) as size_b,
        temperature, variant, metric, model, estimate
    from metric.flipset
    where estimate is not null
),

totals as (
    select
        struct_pack(family, condition, model_family, temperature, variant, metric) as cell,
        count(*) as n,
        avg(estimate) as estimate,
        stddev_samp(estimate) / sqrt(count(*)) as se,
        min(estimate) as lowest,
        max(estimate) as highest,
        min(size_b) as smallest_b,
        max(size_b) as largest_b
    from members
    group by all
)

select
    cell.*,
    n, estimate, se,
    if(se > 0, greatest(estimate - macro.t_95(n - 1) * se, 0), null) as ci_low,
    if(se > 0, least(estimate + macro.t_95(n - 1) * se, 1), null) as ci_high,
    't over models' as method,
    lowest, highest, smallest_b, largest_b
from totals
