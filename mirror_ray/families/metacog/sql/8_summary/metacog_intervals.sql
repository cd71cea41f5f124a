-- grain: one row per family, model, temperature, setting, metric
-- BCa intervals over scenes for the metrics of summary.metacog that are computed from scenes, from
-- the last bootstrap of this run. Without an interval, `reason` says why.
-- replies: model; temperature; setting; macro.metacog_experiment(metric) = experiment
select
    family,
    condition as experiments,
    model,
    temperature,
    variant as setting,
    metric, n_scenes, estimate, se, ci_low, ci_high, method, reason, draws, seed
from shard.metacog_summary_intervals
