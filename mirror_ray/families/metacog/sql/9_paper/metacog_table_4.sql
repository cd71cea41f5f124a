-- grain: one row per model, temperature, setting
-- arXiv 2604.19809, Table 4, main results: a row is a model, the columns are the paper's. `cce` is
-- the formula of the published code, from which the printed values are (Equation 1's is
-- `cce_eq_1`); `ai` in points of the wager; CFR and KDI by the paper's weak-domain policy, over all
-- paradigms. `reference`: the printed row of that model, NULL of models that are not in the table.
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
        any_value(cfr order by route) as cfr_c1
    from agency.metacog_parts_outcomes
    where
        information = 'C1' and paradigm = 'all' and task_set = 'fixed'
        and policy = 'median_or_bottom_k'
    group by model, temperature, setting
),

printed as (
    select *
    from (
        values
            (
                'deepseek-r1', 0.437e0, 0.569e0, 0.139e0, 0.175e0, 0.511e0,
                -0.0652e0, 0.466e0, 0.961e0, 0.133e0, 0.02e0, 0.387e0, -0.028e0
            ),
            (
                'deepseek-v3', 0.392, 0.659, 0.267, 0.167, 0.513,
                0.0071, 0.461, 0.983, 1.000, 0.97, 1.000, 0.279
            ),
            (
                'gemini-2.5-pro', 0.513, 0.659, 0.146, null, null,
                0.0131, 2.969, null, 0.000, null, 0.937, 0.084
            ),
            (
                'gemma-3-12b', 0.449, 0.609, 0.160, null, 0.500,
                0.1717, 0.890, 0.989, 1.000, 6.17, 0.515, -0.129
            ),
            (
                'gemma-3-27b', 0.487, 0.626, 0.150, 0.154, 0.667,
                0.0000, null, 0.960, 1.000, 1.91, 0.688, -0.271
            ),
            (
                'gpt-oss-120b', 0.280, 0.441, 0.161, 0.173, 0.688,
                -0.0001, -0.000, 0.991, 1.000, 1.09, 0.657, -0.136
            ),
            (
                'kimi-k2', 0.484, 0.675, 0.191, 0.019, 0.887,
                0.0035, 1.125, 0.984, 0.926, 0.97, 0.625, -0.255
            ),
            (
                'llama-3.1-405b', 0.392, 0.464, 0.102, 0.062, 0.500,
                0.0000, null, null, 1.000, 3.10, 0.613, -0.356
            ),
            (
                'llama-3.1-70b', 0.414, 0.501, 0.212, 0.049, 0.551,
                0.0836, 2.013, 0.948, 0.838, 2.10, 0.550, -0.168
            ),
            (
                'llama-3.1-8b', 0.388, 0.532, 0.186, 0.107, 0.807,
                0.0000, null, 0.937, 1.000, 4.42, 0.787, -0.139
            ),
            (
                'llama-3.2-3b', 0.426, 0.577, 0.179, null, 0.577,
                -0.0781, 2.120, 0.982, 1.000, 3.54, 0.586, -0.558
            ),
            (
                'llama-3.3-70b', 0.499, 0.767, 0.267, 0.100, 0.797,
                -0.0016, -1.523, 0.974, 0.825, 2.33, 0.547, 0.049
            ),
            (
                'mistral-large', 0.349, 0.462, 0.113, 0.129, 0.943,
                null, null, 0.946, 0.600, 2.11, 0.907, -0.080
            ),
            (
                'mixtral-8x22b', 0.460, 0.593, 0.136, null, 0.647,
                -0.0252, 0.363, 0.984, 1.000, 1.60, 0.486, -0.232
            ),
            (
                'phi-4', 0.279, 0.483, 0.222, 0.068, 0.906,
                -0.0074, -0.000, 0.960, 1.000, 3.30, 0.721, -0.304
            ),
            (
                'qwen3-next-80b', 0.486, 0.638, 0.152, null, 0.882,
                0.0750, 0.958, 0.956, 1.000, 1.73, 0.481, -0.279
            )
    ) as of_table (
        model,
        nat_acc, wag_acc, m_gap, tii, cce, ai, sar, ars, fdr, ssr, cfr_c1, kdi
    )
)

select
    summed.model,
    summed.temperature,
    summed.setting,
    summed.* exclude (model, temperature, setting, cce_eq_1),
    failures.cfr_c1,
    known.m_gap - (1 - failures.cfr_c1) as kdi,
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
left join printed on macro.mirror_name(summed.model) = printed.model
order by summed.setting, summed.temperature, summed.model
