-- grain: one row per family, condition, model, temperature, variant, metric
-- Every family's metrics in one table.
select * from metric.{family}
