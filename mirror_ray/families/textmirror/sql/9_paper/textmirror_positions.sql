-- grain: one row per model, temperature, variant, position
-- "Mirror Test for Large Language Models", by position of the revised sentence: how often it is
-- revised, how often it is named, accuracy there (recall), precision and F1. `reference` is the
-- source's accuracy at that position, over all editors of the model's stories.
-- replies: where condition = 'recognition'
with printed as (
    select
        m1,
        position,
        sum(accuracy * n) / sum(n) as accuracy,
        sum(n)::bigint as n
    from macro.textmirror_places()
    group by m1, position
)

select
    places.model, places.temperature, places.variant, places.position, places.n_actual,
    places.actual_share, places.predicted_share,
    places.recall as accuracy,
    places.recall_low as ci_low,
    places.recall_high as ci_high,
    places.precision_share,
    places.f1,
    printed.accuracy as reference,
    printed.n as n_reference,
    case
        when printed.m1 is not null
            then 'shengyu-zhu/mirror_test_llm, output/table/accuracy_by_sentence_number.csv'
    end as cited
from metric.textmirror_positions as places
left join printed
    on
        macro.textmirror_name(places.model) = printed.m1
        and places.position = printed.position
        and split_part(places.variant, '+', 1) = 'paper'
where places.position > 0 and places.n_sentences = 5
order by places.variant, places.temperature, places.model, places.position
