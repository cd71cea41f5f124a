-- grain: one row per author, editor, temperature, variant, n_sentences
-- Revisions by pair: how many could be read, and how many of those say what was there before, so
-- that nothing foreign is in the story.
select
    family,
    author,
    editor,
    temperature,
    variant,
    n_sentences,
    count(*) as n_episodes,
    count(changes_nothing) as n,
    coalesce(sum(changes_nothing), 0)::bigint as n_unchanged,
    avg(changes_nothing) as unchanged,
    count(*) filter (where failed) as n_failed
from episode.textmirror
where condition = 'revision'
group by all
