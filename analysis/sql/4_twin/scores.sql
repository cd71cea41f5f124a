-- grain: one row per contrast, metric, cluster
-- One unit in two cells that differ in one axis, `axis`: condition, model, temperature, variant, or
-- an axis of its label. `baseline` and `value` are its two values; of condition, model, temperature
-- and variant the differing column is NULL. `question` is the contrast without the two values.
-- Scores are means over a cell's episodes of the unit (`cluster` of metric.scores): first over
-- repetitions of one scene seed, then over the seeds for which both cells have a score. Seeds with
-- different content (`item`) are left out. difference = score - baseline_score; `scene_seed` is the
-- unit's lowest. n_replies, n_read: of the cell of which the smaller share was read.
select * from macro.twins(metric.scores, metric.settings, metric.replies, true, true)
