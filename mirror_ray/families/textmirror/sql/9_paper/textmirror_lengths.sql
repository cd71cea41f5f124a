-- grain: one row per model, temperature
-- "Mirror Test for Large Language Models", average length of sentences in words: those that a model
-- wrote as an author, and those that it wrote as an editor. `reference`: the source's row.
-- replies: where condition = 'revision'
with revised as (
    select author, editor, temperature, original_words, revised_words
    from episode.textmirror
    where condition = 'revision' and usable = 1 and n_sentences = 5
),

words as (
    select
        author as model,
        temperature,
        original_words,
        null as revised_words
    from revised
    union all
    select
        editor as model,
        temperature,
        null as original_words,
        revised_words
    from revised
),

means as (
    select
        model,
        temperature,
        avg(original_words) as original_words,
        avg(revised_words) as revised_words
    from words
    group by model, temperature
)

select
    means.*,
    means.revised_words / nullif(means.original_words, 0) - 1 as change,
    if(printed.model is null, null, printed) as reference,
    case
        when printed.model is not null then 'shengyu-zhu/mirror_test_llm, model_stats_table.tex'
    end as cited
from means
left join macro.textmirror_lengths() as printed
    on macro.textmirror_name(means.model) = printed.model
order by means.temperature, means.model
