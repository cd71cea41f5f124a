-- grain: one row per model, setting, temperature
-- arXiv 2604.19809, Table 14: the gap, confident failures without information (C1) and their
-- reduction by routing (C4), at each temperature, for fixed tasks and all paradigms.
-- replies: where condition = 'exp1' or experiment = 'exp9'
with gaps as (
    select
        model, temperature, setting,
        estimate as m_gap
    from summary.metacog
    where metric = 'gap'
),

failures as (
    select
        model, temperature, setting,
        any_value(known_setting) as known_setting,
        any_value(cfr order by route) filter (where information = 'C1') as cfr_c1,
        any_value(cfr order by route) filter (where information = 'C4') as cfr_c4
    from agency.metacog_parts_outcomes
    where paradigm = 'all' and task_set = 'fixed' and policy = 'median_or_bottom_k'
    group by all
)

select
    failures.model, failures.setting, failures.temperature, gaps.m_gap, failures.cfr_c1,
    1 - failures.cfr_c4 / nullif(failures.cfr_c1, 0) as reduction,
    if(printed.model is null, null, printed) as reference,
    if(printed.model is null, null, 'arXiv 2604.19809, Table 14') as cited
from failures
left join gaps
    on
        failures.model = gaps.model
        and failures.temperature is not distinct from gaps.temperature
        and failures.known_setting = gaps.setting
left join macro.metacog_table_14() as printed
    on
        macro.mirror_name(failures.model) = printed.model
        and failures.temperature = printed.temperature
order by failures.setting, failures.model, failures.temperature
