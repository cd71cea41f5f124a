-- grain: one row per temperature, setting, paradigm, task_set, policy, information, baseline
-- What information does to confident failures: CFR under C2, C3 or C4 less that under C1, and under
-- C3 or C4 less that one step before (`baseline`), paired over models, with Cohen's d for paired
-- samples (mean difference over its SD) and Student's t.
with pairs as (
    select
        one.family,
        one.temperature,
        one.setting,
        one.paradigm,
        one.task_set,
        one.policy,
        other.information,
        one.information as baseline,
        one.cfr as cfr_baseline,
        other.cfr,
        other.cfr - one.cfr as difference
    from agency.metacog_parts_outcomes as one
    inner join agency.metacog_parts_outcomes as other
        on
            one.model = other.model
            and one.temperature is not distinct from other.temperature
            and one.setting = other.setting
            and one.paradigm = other.paradigm
            and one.task_set = other.task_set
            and one.policy = other.policy
    where
        list_contains(
            ['C1 C2', 'C1 C3', 'C1 C4', 'C2 C3', 'C3 C4'],
            one.information || ' ' || other.information
        )
),

means as (
    select
        family,
        temperature,
        setting,
        paradigm,
        task_set,
        policy,
        information,
        baseline,
        count(difference) as n_models,
        avg(cfr_baseline) as cfr_baseline,
        avg(cfr) as cfr,
        avg(difference) as difference,
        stddev_samp(difference) as sd
    from pairs
    group by
        family, temperature, setting, paradigm, task_set, policy, information, baseline
)

select
    *,
    difference / nullif(sd, 0) as cohens_d,
    difference - macro.t_95(n_models - 1) * sd / sqrt(n_models) as ci_low,
    difference + macro.t_95(n_models - 1) * sd / sqrt(n_models) as ci_high,
    if(
        sd > 0,
        macro.t_two_sided(difference / (sd / sqrt(n_models)), n_models - 1),
        null
    ) as p
from means
