-- grain: one row per author, editor, reader, temperature, variant, position
-- Recognition by pair and position: how often a reader finds the sentence revised there, with
-- Wilson's interval on the effective number of the `n` stories. Editor is NULL for all of an
-- author's editors together.
-- replies: author; reader = model; temperature; variant where condition = 'recognition'
with answers as (
    select * replace (unnest([editor, null]) as editor)
    from episode.textmirror
    where condition = 'recognition' and accuracy is not null
),

scores as (
    select
        struct_pack(
            family, author, editor, reader, temperature, variant, n_sentences, position
        ) as cell,
        cluster,
        accuracy as score
    from answers
)

select
    cell.*,
    n,
    estimate as accuracy,
    ci_low,
    ci_high
from macro.clustered_shares(scores)
