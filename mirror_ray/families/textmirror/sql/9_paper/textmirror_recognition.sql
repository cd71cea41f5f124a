-- grain: one row per m1, m2, temperature, variant
-- "Mirror Test for Large Language Models", recognition accuracy: the author and reader (M1) by the
-- editor (M2), against 1/5, in both tails; `accuracy_valid` without replies that name no sentence.
-- The source shows its matrix as a picture alone: `reference` is NULL.
select
    author as m1,
    editor as m2,
    temperature,
    variant,
    n,
    accuracy,
    ci_low,
    ci_high,
    p,
    p_below,
    p_holm,
    accuracy_valid,
    null::double as reference,
    null::varchar as cited
from metric.textmirror_pairs
where condition = 'recognition' and reads = 'own' and editor is not null and n_sentences = 5
order by variant, temperature, m1, m2
