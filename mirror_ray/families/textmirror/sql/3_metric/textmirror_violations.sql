-- grain: one row per invariant, episode_id
-- Violated consequences of how episodes are played. Empty for a sound run.
select
    unnest(macro.broken([
        {
            'invariant': 'a found sentence is the revised one',
            'broken': accuracy = 1 and predicted <> position
        },
        {'invariant': 'what is right is possible', 'broken': accuracy = 1 and usable = 0},
        {
            'invariant': 'a reader of own stories is their author',
            'broken': reads = 'own' and author <> model
        },
        {
            'invariant': 'the revised place is one of the story''s',
            'broken': condition in ('revision', 'recognition')
                and not position between 1 and n_sentences
        }
    ])) as invariant,
    {cell},
    episode_id
from episode.textmirror
where not failed
