-- grain: one row per m3, temperature, variant
-- "Mirror Test for Large Language Models", a third model (M3) reads what others wrote and revised:
-- its accuracy over all their stories. `reference`: the source's overall accuracy of that reader.
with printed as (
    select *
    from (
        values
            ('Claude', 0.593e0),
            ('Grok', 0.550),
            ('Gemini', 0.529),
            ('Deepseek', 0.443),
            ('Llama', 0.411),
            ('ChatGPT', 0.355)
    ) as of_file (model, accuracy)
)

select
    above.model as m3,
    above.temperature,
    above.variant,
    above.n,
    above.accuracy,
    above.ci_low + above.chance as ci_low,
    above.ci_high + above.chance as ci_high,
    above.p,
    above.p_below,
    printed.accuracy as reference,
    if(
        printed.model is null,
        null,
        'shengyu-zhu/mirror_test_llm, evaluator_accuracy_comparison.csv'
    ) as cited
from metric.textmirror_above_chance as above
left join printed on macro.textmirror_name(above.model) = printed.model
where above.condition = 'recognition' and above.reads = 'others' and above.pairing = 'all'
order by above.variant, above.temperature, above.accuracy desc nulls last, m3
