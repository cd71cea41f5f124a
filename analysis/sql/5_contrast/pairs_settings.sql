-- grain: one row per contrast, metric
-- The rows of contrast.pairs whose cells differ in a setting, for one model and condition. p_holm
-- is the same, because all contrasts of a question are included.
select *
from macro.compared(twin.scores_settings, shard.paired_differences, metric.settled, twin.settled)
