-- grain: one row per family, condition, temperature, variant, model
-- Cells decided by the sweep's `until`: units played and planned. stopped_early: fewer were played,
-- so their number depends on the scores, and results based on such a cell have no p. Their
-- intervals remain valid: docs/stopping.md has the simulated coverage. A cell is played while one
-- of its comparisons is open: n_asked is that of the last one.
-- replies: family; condition; temperature; variant; model
with sides as (
    select
        family, condition, temperature, variant,
        unnest([model, against]) as model,
        metric, rule, bound, n_asked, n_planned
    from shard.stopping_decisions
)

select
    family, condition, temperature, variant, model,
    any_value(metric) as metric,
    any_value(rule) as rule,
    any_value(bound) as bound,
    max(n_asked) as n_asked,
    n_planned,
    max(n_asked) < n_planned as stopped_early
from sides
where model is not null
group by family, condition, temperature, variant, model, n_planned
-- If a run continued with more units: the last design.
qualify
    n_planned = max(n_planned) over (
        partition by family, condition, temperature, variant, model
    )
