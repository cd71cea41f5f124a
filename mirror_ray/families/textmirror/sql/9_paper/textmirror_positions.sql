-- grain: one row per model, temperature, variant, position
-- "Mirror Test for Large Language Models", by place of the revised sentence: how often it is the
-- revised one, how often it is named, accuracy there (recall), precision and F1. The source shows
-- these as pictures alone: `reference` is NULL.
select
    model,
    temperature,
    variant,
    position,
    n_actual,
    actual_share,
    predicted_share,
    recall as accuracy,
    recall_low as ci_low,
    recall_high as ci_high,
    precision_share,
    f1,
    null::double as reference,
    null::varchar as cited
from metric.textmirror_positions
where position > 0 and n_sentences = 5
order by variant, temperature, model, position
