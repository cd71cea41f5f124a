-- grain: one row per family, model, temperature, setting, metric
-- BCa intervals over scenes of those metrics of summary.metacog that scenes make up, as of the last
-- bootstrap of this run. `reason` explains a missing interval.
select
    family,
    condition as experiments,
    model,
    temperature,
    variant as setting,
    metric,
    n_scenes,
    estimate,
    se,
    ci_low,
    ci_high,
    method,
    reason,
    draws,
    seed
from shard.metacog_summary_intervals
