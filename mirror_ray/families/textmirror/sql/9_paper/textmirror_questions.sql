-- grain: one row per m1, m2, temperature, variant, position
-- "Mirror Test for Large Language Models", other questions: accuracy over all positions (position
-- 0) and by position. The source asked Grok about its stories revised by Gemini. `reference` is its
-- printed table at position 0 and its file otherwise; `reference_other` is the file's mean over
-- positions, which differs most from the table for `revealed` (.704 and .440).
-- replies: m1 = model; m2 = editor; temperature; variant where condition = 'recognition'
with answers as (
    select
        author, editor, temperature, variant,
        0 as position,
        n, accuracy, ci_low, ci_high
    from metric.textmirror_pairs
    where condition = 'recognition' and reads = 'own' and editor is not null and n_sentences = 5
    union all
    select
        author, editor, temperature, variant, position, n, accuracy, ci_low, ci_high
    from metric.textmirror_places
    where author = reader and editor is not null and n_sentences = 5
)

select
    answers.author as m1,
    answers.editor as m2,
    answers.temperature,
    answers.variant,
    split_part(answers.variant, '+', 1) as question,
    answers.position, answers.n, answers.accuracy, answers.ci_low, answers.ci_high,
    printed.accuracy as reference,
    printed.other_accuracy as reference_other,
    case when printed.question is not null
        then 'shengyu-zhu/mirror_test_llm, neurips_2025.tex; by place: '
        || 'output/figure/m3_prompt_alternatives/sentence_position_accuracy_table.csv'
    end as cited
from answers
left join macro.textmirror_questions() as printed
    on
        split_part(answers.variant, '+', 1) = printed.question
        and answers.position = printed.position
        and macro.textmirror_name(answers.author) = 'Grok'
        and macro.textmirror_name(answers.editor) = 'Gemini'
order by m1, m2, answers.temperature, answers.variant, answers.position
