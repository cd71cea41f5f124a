-- grain: one row per family, condition, model, temperature, variant, metric
-- Every family's metrics in one table, and each estimate if all unread replies were wrong, and if
-- all were right (metric.<family>_bounds).
select
    shown.*,
    bounds.low_if_unread,
    bounds.high_if_unread
from metric.{family} as shown
left join metric.{family}_bounds as bounds
    on
        shown.condition = bounds.condition
        and shown.model = bounds.model
        and shown.variant = bounds.variant
        and shown.temperature is not distinct from bounds.temperature
        and shown.metric = bounds.metric
