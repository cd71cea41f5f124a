-- grain: one row per family, condition, model, temperature, variant, metric
-- The same estimates with BCa intervals over scenes, from the last bootstrap of this run. Without
-- an interval, `reason` says why. Empty for a mirror_px_threshold other than that of the bootstrap.
select * exclude (parameters)
from shard.selfid_intervals
where parameters = 'mirror_px_threshold=' || macro.evidence_px(640, 480)
