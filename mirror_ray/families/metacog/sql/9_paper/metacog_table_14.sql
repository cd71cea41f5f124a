-- grain: one row per model, setting, temperature
-- arXiv 2604.19809, Table 14: the gap, confident failures told nothing (C1) and by how much routing
-- (C4) cuts them, at each temperature, of fixed tasks and all paradigms.
with printed as (
    select *
    from (
        values
            ('llama-3.1-8b', 0.0e0, 0.186e0, 0.787e0, 0.62e0),
            ('llama-3.1-8b', 0.7, 0.110, 0.390, 0.85),
            ('llama-3.1-70b', 0.0, 0.212, 0.550, 0.62),
            ('llama-3.1-70b', 0.7, 0.145, 0.270, 0.70),
            ('mistral-large', 0.0, 0.113, 0.907, 0.62),
            ('mistral-large', 0.7, 0.150, 0.260, 0.96),
            ('gemma-3-27b', 0.0, 0.150, 0.688, null),
            ('gemma-3-27b', 0.7, 0.002, 0.570, 0.56),
            ('kimi-k2', 0.0, 0.191, 0.625, null),
            ('kimi-k2', 0.7, 0.215, 0.430, 0.44)
    ) as of_table (model, temperature, m_gap, cfr_c1, reduction)
),

gaps as (
    select
        model,
        temperature,
        setting,
        estimate as m_gap
    from summary.metacog
    where metric = 'gap'
),

failures as (
    select
        model,
        temperature,
        setting,
        any_value(known_setting) as known_setting,
        any_value(cfr order by route) filter (where information = 'C1') as cfr_c1,
        any_value(cfr order by route) filter (where information = 'C4') as cfr_c4
    from agency.metacog_parts_outcomes
    where paradigm = 'all' and task_set = 'fixed' and policy = 'median_or_bottom_k'
    group by all
)

select
    failures.model,
    failures.setting,
    failures.temperature,
    gaps.m_gap,
    failures.cfr_c1,
    1 - failures.cfr_c4 / nullif(failures.cfr_c1, 0) as reduction,
    if(printed.model is null, null, printed) as reference,
    if(printed.model is null, null, 'arXiv 2604.19809, Table 14') as cited
from failures
left join gaps
    on
        failures.model = gaps.model
        and failures.temperature is not distinct from gaps.temperature
        and failures.known_setting = gaps.setting
left join printed
    on
        macro.mirror_name(failures.model) = printed.model
        and failures.temperature = printed.temperature
order by failures.setting, failures.model, failures.temperature
