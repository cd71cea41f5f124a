-- grain: one row per reader, editor, temperature, variant, named
-- Attribution: which model a reader says wrote a sentence, by the model that did; NULL for a reply
-- that names none. `share` is of the reader's replies on that model's sentences, `n` stories.
-- replies: reader = model; editor; temperature; variant where condition = 'attribution'
with replies as (
    select
        family, reader, editor, temperature, variant, named,
        count(distinct coalesce(seed_text, 'seed ' || scene_seed)) as n,
        count(*) as n_episodes
    from episode.textmirror
    where condition = 'attribution' and not failed
    group by all
)

select
    *,
    n_episodes / sum(n_episodes) over (partition by reader, editor, temperature, variant) as share
from replies
