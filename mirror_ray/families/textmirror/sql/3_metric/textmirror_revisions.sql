-- grain: one row per author, editor, temperature, variant, n_sentences
-- Revisions by pair: how many were readable, and how many of those change nothing, so that the
-- story has no foreign sentence.
-- replies: author; editor = model; temperature; variant where condition = 'revision'
select
    family, author, editor, temperature, variant, n_sentences,
    count(*) as n_episodes,
    count(changes_nothing) as n,
    coalesce(sum(changes_nothing), 0)::bigint as n_unchanged,
    avg(changes_nothing) as unchanged,
    count(*) filter (where failed) as n_failed
from episode.textmirror
where condition = 'revision'
group by all
