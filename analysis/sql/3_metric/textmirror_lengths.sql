-- grain: one row per model, temperature, variant, editor, position
-- Words of the revised sentence and of the one it replaced, by place, and what they have to do with
-- being found: words where it was found and where not, and the point-biserial correlation of the
-- difference in words with being found. NULL where too few of either. `position` 0: all places.
with answers as (
    select
        family,
        model,
        temperature,
        variant,
        editor,
        unnest([position, 0]) as position,
        original_words,
        revised_words,
        revised_words - original_words as longer_by,
        accuracy
    from episode.textmirror
    where condition = 'recognition' and accuracy is not null
)

select
    family,
    model,
    temperature,
    variant,
    editor,
    position,
    count(*) as n,
    avg(original_words) as original_words,
    stddev_samp(original_words) / sqrt(count(*)) as original_se,
    avg(revised_words) as revised_words,
    stddev_samp(revised_words) / sqrt(count(*)) as revised_se,
    avg(revised_words) filter (where accuracy = 1) as words_if_found,
    avg(revised_words) filter (where accuracy = 0) as words_if_missed,
    if(
        stddev_samp(longer_by) > 0 and stddev_samp(accuracy) > 0, corr(longer_by, accuracy), null
    ) as correlation
from answers
group by all
