-- grain: one row per invariant, episode_id
-- What follows from how episodes are played, and does not hold. Empty for a sound run.
with checks as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        episode_id,
        unnest([
            {
                'invariant': 'a found sentence is the revised one',
                'broken': accuracy = 1 and predicted <> position
            },
            {
                'invariant': 'what is right is possible',
                'broken': accuracy = 1 and usable = 0
            },
            {
                'invariant': 'a reader of its own stories is their author',
                'broken': reads = 'own' and author <> model
            },
            {
                'invariant': 'the revised place is one of the story''s',
                'broken': condition in ('revision', 'recognition')
                    and not position between 1 and n_sentences
            }
        ], recursive := true)
    from episode.textmirror
    where not failed
)

select
    invariant,
    family,
    condition,
    model,
    temperature,
    variant,
    episode_id
from checks
where broken
