-- grain: one row per m3, temperature, variant
-- "Mirror Test for Large Language Models", a third model (M3) reads what others wrote and revised:
-- its accuracy over all their stories. `reference`: the source's overall accuracy of that reader.
-- replies: m3 = model; temperature; variant where condition = 'recognition'
select
    above.model as m3,
    above.temperature, above.variant, above.n, above.accuracy,
    above.ci_low + above.chance as ci_low,
    above.ci_high + above.chance as ci_high,
    above.p,
    above.p_below,
    printed.accuracy as reference,
    case
        when printed.model is not null
            then 'shengyu-zhu/mirror_test_llm, evaluator_accuracy_comparison.csv'
    end as cited
from metric.textmirror_above_chance as above
left join macro.textmirror_readers() as printed
    on macro.textmirror_name(above.model) = printed.model
where above.condition = 'recognition' and above.reads = 'others' and above.pairing = 'all'
order by above.variant, above.temperature, above.accuracy desc nulls last, m3
