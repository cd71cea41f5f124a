-- grain: one row per contrast, metric, cluster
-- The rows of twin.scores whose cells differ in a setting, for one model and condition, without
-- computing the many more pairs of models.
select * from macro.twins(metric.scores, metric.settings, metric.replies, false, false)
