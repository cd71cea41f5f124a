-- grain: one row per temperature, setting, paradigm, task_set, route, policy, information, baseline
-- Effect of information on confident failures: CFR under C2, C3 or C4 minus that under C1, and
-- under C3 or C4 minus that one step before (`baseline`), paired over models, with Student's t; its
-- interval is cut at the ends of the scale, and missing if all models differ alike. Cohen's d for
-- paired samples (mean over SD) is that of the decrease, as in the paper: above 0 with fewer
-- failures than in `baseline`. "C2 false" is the control that is told false scores.
-- replies: where experiment = 'exp9'
with pairs as (
    select
        struct_pack(
            one.family, one.temperature, one.setting, one.paradigm, one.task_set, one.route,
            one.policy
        ) as cell,
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
            and one.route = other.route
            and one.policy = other.policy
    where
        list_contains(
            [
                'C1 C2', 'C1 C3', 'C1 C4', 'C2 C3', 'C3 C4',
                'C1 C2 false', 'C2 C2 false', 'C1 C3 false', 'C3 C3 false'
            ],
            one.information || ' ' || other.information
        )
),

means as (
    select
        cell, information, baseline,
        count(difference) as n_models,
        avg(cfr_baseline) as cfr_baseline,
        avg(cfr) as cfr,
        avg(difference) as difference,
        -- Ignore rounding errors.
        round(stddev_samp(difference), 12) as sd
    from pairs
    group by cell, information, baseline
)

select
    cell.*,
    * exclude (cell),
    -difference / nullif(sd, 0) as cohens_d,
    if(
        sd > 0,
        greatest(difference - macro.t_95(n_models - 1) * sd / sqrt(n_models), -1),
        null
    ) as ci_low,
    if(
        sd > 0,
        least(difference + macro.t_95(n_models - 1) * sd / sqrt(n_models), 1),
        null
    ) as ci_high,
    if(
        sd > 0,
        macro.t_two_sided(difference / (sd / sqrt(n_models)), n_models - 1),
        null
    ) as p
from means
