-- grain: one row per m1, m2, temperature, variant
-- "Mirror Test for Large Language Models", recognition accuracy: the author and reader (M1) by the
-- editor (M2), against 1/5, in both tails; `accuracy_valid` without replies that name no sentence.
-- The source's files disagree: `reference` is of all 1,000 replies of a pair, `reference_other` of
-- valid replies, whose numbers are those of the choice between two sentences.
-- replies: m1 = model; m2 = editor; temperature; variant where condition = 'recognition'
select
    pairs.author as m1,
    pairs.editor as m2,
    pairs.temperature, pairs.variant, pairs.n, pairs.accuracy, pairs.ci_low, pairs.ci_high, pairs.p,
    pairs.p_below, pairs.p_holm, pairs.accuracy_valid,
    printed.accuracy as reference,
    printed.n as n_reference,
    printed.other_accuracy as reference_other,
    printed.other_n as n_reference_other,
    case when printed.m1 is not null
        then 'shengyu-zhu/mirror_test_llm, output/table: valid_responses_stats.csv; other: '
        || 'core_result_accuracy_table.csv'
    end as cited
from metric.textmirror_pairs as pairs
left join macro.textmirror_recognition() as printed
    on
        macro.textmirror_name(pairs.author) = printed.m1
        and macro.textmirror_name(pairs.editor) = printed.m2
        and split_part(pairs.variant, '+', 1) = 'paper'
where
    pairs.condition = 'recognition' and pairs.reads = 'own' and pairs.editor is not null
    and pairs.n_sentences = 5
order by pairs.variant, pairs.temperature, m1, m2
