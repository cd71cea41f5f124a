-- grain: one row per m1, m2, temperature, variant
-- "Mirror Test for Large Language Models", the baseline: which of two sentences the author (M1)
-- wrote, its own or the revision by M2, against 1/2. The source counts valid replies only, so
-- compare `reference` with `accuracy_valid`; it has no stories by Gemini.
-- replies: m1 = model; m2 = editor; temperature; variant where condition = 'authorship'
select
    pairs.author as m1,
    pairs.editor as m2,
    pairs.temperature, pairs.variant, pairs.n, pairs.accuracy, pairs.ci_low, pairs.ci_high, pairs.p,
    pairs.p_below, pairs.p_holm, pairs.n_valid, pairs.accuracy_valid,
    printed.accuracy as reference,
    printed.n as n_reference,
    printed.p as p_reference,
    case when printed.m1 is not null
        then 'shengyu-zhu/mirror_test_llm, '
        || 'output/table/baseline/baseline_recognition_accuracy_with_ci.csv'
    end as cited
from metric.textmirror_pairs as pairs
left join macro.textmirror_authorship() as printed
    on
        macro.textmirror_name(pairs.author) = printed.m1
        and macro.textmirror_name(pairs.editor) = printed.m2
where pairs.condition = 'authorship' and pairs.editor is not null and pairs.n_sentences = 5
order by pairs.variant, pairs.temperature, m1, m2
