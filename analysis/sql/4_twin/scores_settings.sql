-- grain: one row per contrast, metric, cluster
-- The rows of twin.scores whose cells differ in a setting: of one model, in one condition. The
-- pairs of models, which are many more, are not worked out for it.
select * from macro.twins(metric.scores, metric.settings, false)
