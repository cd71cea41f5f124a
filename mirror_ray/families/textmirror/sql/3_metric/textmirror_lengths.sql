-- grain: one row per model, temperature, variant, editor, position
-- Words of the revised sentence and of the one it replaced, by position, and their relation to
-- being found: words if it was found and if not, and the point-biserial correlation of the
-- difference in words with being found. NULL with too few of either. `position` 0: all positions.
-- Standard errors are over the `n` stories.
-- replies: where condition = 'recognition'
with answers as (
    select
        struct_pack(family, model, temperature, variant) as cell,
        editor,
        unnest([position, 0]) as position,
        original_words,
        revised_words,
        revised_words - original_words as longer_by,
        cluster,
        accuracy
    from episode.textmirror
    where condition = 'recognition' and accuracy is not null
),

units as (
    select
        cell, editor, position, cluster,
        count(*) as unit_n,
        sum(original_words) as original_sum,
        sum(revised_words) as revised_sum
    from answers
    group by all
),

spreads as (
    select
        cell, editor, position,
        count(*) as n,
        macro.clustered_se(original_sum, unit_n) as original_se,
        macro.clustered_se(revised_sum, unit_n) as revised_se
    from units
    group by cell, editor, position
)

select
    unnest(answers.cell),
    answers.editor,
    answers.position,
    any_value(spreads.n) as n,
    count(*) as n_episodes,
    avg(original_words) as original_words,
    any_value(spreads.original_se) as original_se,
    avg(revised_words) as revised_words,
    any_value(spreads.revised_se) as revised_se,
    avg(revised_words) filter (where accuracy = 1) as words_if_found,
    avg(revised_words) filter (where accuracy = 0) as words_if_missed,
    if(
        stddev_samp(longer_by) > 0 and stddev_samp(accuracy) > 0, corr(longer_by, accuracy), null
    ) as correlation
from answers
inner join spreads
    on
        answers.cell = spreads.cell
        and answers.editor is not distinct from spreads.editor
        and answers.position = spreads.position
group by answers.cell, answers.editor, answers.position
