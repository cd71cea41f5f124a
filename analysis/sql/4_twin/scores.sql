-- grain: one row per contrast, metric, cluster
-- One unit met by two cells that differ in one thing, `axis`: the condition, the model, the
-- temperature, the variant, or an axis of its label. `baseline` and `value` are that thing's two
-- values; of condition, model, temperature and variant the column that differs is NULL. `question`
-- is the contrast without the two values. Scores are means over a cell's episodes of the unit
-- (`cluster` of metric.scores): first over repetitions of one scene seed, then over the seeds of
-- which both cells have a score. Seeds that hold something else (`item`) are left out. difference =
-- score - baseline_score; `scene_seed` is the least of the unit's.
select * from macro.twins(metric.scores, metric.settings, true)
