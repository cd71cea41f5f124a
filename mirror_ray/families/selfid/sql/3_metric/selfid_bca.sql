-- grain: one row per family, condition, model, temperature, variant, metric
-- The same estimates with BCa intervals over scenes, as of the last bootstrap of this run. Where
-- an interval is missing, `reason` says why. Empty for another mirror_px_threshold than it had.
select * exclude (parameters)
from shard.selfid_intervals
where parameters = 'mirror_px_threshold=' || macro.evidence_px(640, 480)
