-- grain: one row per family, condition, model, temperature, variant, metric
-- The same estimates with BCa intervals over scenes, as of the last bootstrap of this run. Where
-- there is no interval, `reason` says why.
select * exclude (parameters)
from shard.{family}_intervals
