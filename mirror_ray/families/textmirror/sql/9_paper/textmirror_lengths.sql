-- grain: one row per model, temperature
-- "Mirror Test for Large Language Models", average length of sentences in words: those that a model
-- wrote as an author, and those that it wrote as an editor. `reference`: the source's row.
with printed as (
    select *
    from (
        values
            ('ChatGPT', 27.01e0, 23.54e0),
            ('Deepseek', 22.05, 20.67),
            ('Llama', 32.04, 32.59),
            ('Claude', 32.62, 28.52),
            ('Gemini', 20.25, 19.25),
            ('Grok', 29.47, 30.42)
    ) as of_table (model, original_words, revised_words)
),

revised as (
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
    if(
        printed.model is null, null, 'shengyu-zhu/mirror_test_llm, model_stats_table.tex'
    ) as cited
from means
left join printed on macro.textmirror_name(means.model) = printed.model
order by means.temperature, means.model
