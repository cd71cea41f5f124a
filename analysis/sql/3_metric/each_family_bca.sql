-- grain: one row per family, condition, model, temperature, variant, metric
-- The same estimates with BCa intervals over scenes, from the last bootstrap of this run. Without
-- an interval, `reason` says why.
select * exclude (parameters)
from shard.{family}_intervals
