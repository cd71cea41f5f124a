-- grain: one row per family, condition, temperature, variant, model
-- How many of every family's replies were read.
select
    '{family}' as family,
    *
from metric.{family}_read
