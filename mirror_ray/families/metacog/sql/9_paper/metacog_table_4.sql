-- grain: one row per model, temperature, setting
-- arXiv 2604.19809, Table 4, main results: a row per model, with the paper's columns. `cce` is the
-- formula of the published code, which gives the printed values (Equation 1 is `cce_eq_1`); `ai` in
-- points of the wager; CFR and KDI over all paradigms by the paper's weak-domain policy (below the
-- model's median, else the lowest two), and `…_below_half` by ours (natural accuracy below .5).
-- `reference`: the printed row of that model, NULL for models not in the table.
with summed as (
    select
        model,
        temperature,
        setting,
        any_value(estimate) filter (where metric = 'natural_accuracy') as nat_acc,
        any_value(estimate) filter (where metric = 'wagering_accuracy') as wag_acc,
        any_value(estimate) filter (where metric = 'gap') as m_gap,
        any_value(estimate) filter (where metric = 'tii') as tii,
        any_value(estimate) filter (where metric = 'cce_code') as cce,
        any_value(estimate) filter (where metric = 'ai_true') as ai,
        any_value(estimate) filter (where metric = 'sar') as sar,
        any_value(estimate) filter (where metric = 'ars') as ars,
        any_value(estimate) filter (where metric = 'fdr') as fdr,
        any_value(estimate) filter (where metric = 'ssr') as ssr,
        any_value(estimate) filter (where metric = 'cce_printed') as cce_eq_1
    from summary.metacog
    group by model, temperature, setting
),

failures as (
    select
        model,
        temperature,
        setting,
        any_value(known_setting) as known_setting,
        any_value(cfr order by route) filter (where policy = 'median_or_bottom_k') as cfr_c1,
        any_value(cfr order by route) filter (where policy = 'below_0.5') as cfr_c1_below_half
    from agency.metacog_parts_outcomes
    where
        information = 'C1' and paradigm = 'all' and task_set = 'fixed'
    group by model, temperature, setting
)

select
    summed.model,
    summed.temperature,
    summed.setting,
    summed.* exclude (model, temperature, setting, cce_eq_1),
    failures.cfr_c1,
    known.m_gap - (1 - failures.cfr_c1) as kdi,
    failures.cfr_c1_below_half,
    known.m_gap - (1 - failures.cfr_c1_below_half) as kdi_below_half,
    summed.cce_eq_1,
    if(printed.model is null, null, printed) as reference,
    if(printed.model is null, null, 'arXiv 2604.19809, Table 4') as cited
from summed
left join failures
    on
        summed.model = failures.model
        and summed.temperature is not distinct from failures.temperature
        and summed.setting = failures.setting
left join summed as known
    on
        summed.model = known.model
        and summed.temperature is not distinct from known.temperature
        and failures.known_setting = known.setting
left join macro.metacog_table_4() as printed on macro.mirror_name(summed.model) = printed.model
order by summed.setting, summed.temperature, summed.model
