-- grain: one row per family, condition, temperature, variant, model
-- Cells that the sweep's `until` decided on: units asked of those planned. stopped_early: fewer
-- were asked, so that their number follows from the scores: no p stands for what rests on such a
-- cell. Intervals stand: docs/stopping.md has their simulated coverage. A cell is asked as long as
-- one of its comparisons is open: n_asked is that of the last one.
with sides as (
    select
        family,
        condition,
        temperature,
        variant,
        unnest([model, against]) as model,
        metric,
        rule,
        bound,
        n_asked,
        n_planned
    from shard.stopping_decisions
)

select
    family,
    condition,
    temperature,
    variant,
    model,
    any_value(metric) as metric,
    any_value(rule) as rule,
    any_value(bound) as bound,
    max(n_asked) as n_asked,
    n_planned,
    max(n_asked) < n_planned as stopped_early
from sides
where model is not null
group by family, condition, temperature, variant, model, n_planned
-- Of a run that went on with more units: the last design.
qualify
    n_planned = max(n_planned) over (
        partition by family, condition, temperature, variant, model
    )
