-- grain: one row per model, temperature, setting
-- arXiv 2604.19809, Table 7: CCE of experiment 3 by model, by the formula of the published code,
-- with BCa 95 % intervals from 10,000 draws (NULL before they are computed). `reference`: the
-- printed row of that model.
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
left join macro.metacog_table_7() as printed on macro.mirror_name(summed.model) = printed.model
where summed.metric = 'cce_code' and summed.estimate is not null
order by summed.setting, summed.temperature, summed.model
