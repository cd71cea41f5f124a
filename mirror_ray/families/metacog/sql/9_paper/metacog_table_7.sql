-- grain: one row per model, temperature, setting
-- arXiv 2604.19809, Table 7: CCE of experiment 3 by model, by the formula of the published code,
-- with BCa 95 % intervals from 10,000 draws (NULL before the intervals are drawn). `reference`: the
-- printed row of that model.
with printed as (
    select *
    from (
        values
            ('gemma-3-12b', 0.516e0, 0.431e0, 0.596e0, 112),
            ('gemma-3-27b', 0.524, 0.442, 0.601, 112),
            ('gpt-oss-120b', 0.477, 0.362, 0.596, 61),
            ('kimi-k2', 0.490, 0.396, 0.578, 112),
            ('llama-3.1-405b', 0.485, 0.421, 0.545, 112),
            ('llama-3.1-70b', 0.434, 0.350, 0.518, 112),
            ('llama-3.1-8b', 0.583, 0.512, 0.646, 112),
            ('llama-3.2-3b', 0.588, 0.519, 0.649, 112),
            ('llama-3.3-70b', 0.446, 0.375, 0.514, 112),
            ('mistral-large', 0.642, 0.560, 0.714, 112),
            ('mixtral-8x22b', 0.758, 0.673, 0.829, 112),
            ('qwen3-next-80b', 0.480, 0.392, 0.566, 112)
    ) as of_table (model, cce, ci_low, ci_high, n)
)

select
    summed.model,
    summed.temperature,
    summed.setting,
    summed.estimate as cce,
    intervals.ci_low,
    intervals.ci_high,
    summed.n,
    if(printed.model is null, null, printed) as reference,
    if(printed.model is null, null, 'arXiv 2604.19809, Table 7') as cited
from summary.metacog as summed
left join summary.metacog_intervals as intervals
    on
        summed.model = intervals.model
        and summed.temperature is not distinct from intervals.temperature
        and summed.setting = intervals.setting
        and summed.metric = intervals.metric
left join printed on macro.mirror_name(summed.model) = printed.model
where summed.metric = 'cce_code' and summed.estimate is not null
order by summed.setting, summed.temperature, summed.model
