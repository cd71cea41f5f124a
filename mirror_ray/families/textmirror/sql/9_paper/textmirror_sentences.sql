-- grain: one row per m1, m2, temperature, variant, n_sentences
-- "Mirror Test for Large Language Models", effect of the number of sentences: accuracy by pair, and
-- the share of the author's stories with exactly that many. `reference`: the source's file of
-- results has one pair, Grok's stories revised by Gemini.
-- replies: m1 = model; m2 = editor; temperature; variant where condition = 'recognition'
with kept as (
    select
        author, temperature, n_sentences,
        sum(n_kept) / sum(n_episodes) as retention
    from metric.textmirror_retention
    group by all
)

select
    pairs.author as m1,
    pairs.editor as m2,
    pairs.temperature, pairs.variant, pairs.n_sentences, pairs.n, pairs.accuracy, pairs.ci_low,
    pairs.ci_high, pairs.chance, kept.retention,
    printed.accuracy as reference,
    case
        when printed.accuracy is not null
            then 'shengyu-zhu/mirror_test_llm, accuracy_summary_by_sentence_count.csv'
    end as cited
from metric.textmirror_pairs as pairs
left join kept
    on
        pairs.author = kept.author
        and pairs.temperature is not distinct from kept.temperature
        and pairs.n_sentences = kept.n_sentences
left join macro.textmirror_sentences() as printed
    on
        pairs.n_sentences = printed.n_sentences
        and macro.textmirror_name(pairs.author) = 'Grok'
        and macro.textmirror_name(pairs.editor) = 'Gemini'
        and split_part(pairs.variant, '+', 1) = 'paper'
where pairs.condition = 'recognition' and pairs.reads = 'own' and pairs.editor is not null
order by pairs.variant, pairs.temperature, m1, m2, pairs.n_sentences
