-- grain: one row per contrast, metric
-- The rows of contrast.pairs whose cells differ in a setting: of one model, in one condition.
-- p_holm is the same: the contrasts of a question are all here, or none.
select *
from macro.compared(twin.scores_settings, shard.paired_differences, metric.settled, twin.settled)
