-- grain: one row per author, editor, reader, temperature, variant, position
-- Recognition by pair and place: how often a reader finds the sentence that was revised there, with
-- Wilson's interval on the effective number of the `n` stories. Editor is NULL where all of an
-- author's editors are taken together.
with answers as (
    select
        family,
        author,
        unnest([editor, null]) as editor,
        reader,
        temperature,
        variant,
        n_sentences,
        position,
        cluster,
        accuracy
    from episode.textmirror
    where condition = 'recognition' and accuracy is not null
),

units as (
    select
        family,
        author,
        editor,
        reader,
        temperature,
        variant,
        n_sentences,
        position,
        cluster,
        count(*) as unit_n,
        sum(accuracy)::double as unit_sum
    from answers
    group by all
),

totals as (
    select
        family,
        author,
        editor,
        reader,
        temperature,
        variant,
        n_sentences,
        position,
        count(*) as n,
        sum(unit_sum) / sum(unit_n) as accuracy,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by family, author, editor, reader, temperature, variant, n_sentences, position
)

select
    * exclude (n_effective),
    macro.wilson_low(accuracy * n_effective, n_effective) as ci_low,
    macro.wilson_high(accuracy * n_effective, n_effective) as ci_high
from totals
