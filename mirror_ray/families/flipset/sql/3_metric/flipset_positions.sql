-- grain: one row per family, condition, model, temperature, variant, label, metric
-- The effect of an option's position. answered: the share of answers with this letter;
-- accuracy_when: accuracy if this letter is right; always_accuracy and always_egocentric: the score
-- of always giving this letter on the same episodes, because the layouts are not balanced.
-- Intervals are Wilson's on the effective number of the `n` strings.
with labelled as (
    select
        scores.*,
        unnest(['A', 'B', 'C', 'D'][:len(played.option_kinds)]) as label,
        played.option_kinds
    from episode.flipset as scores
    inner join stage.flipset_episodes as played using (episode_id)
    where not failed
),

said as (
    select
        *,
        unnest([
            {'metric': 'answered', 'score': coalesce(answer = label, false)},
            {'metric': 'accuracy_when', 'score': if(gold = label, accuracy = 1, null)},
            {'metric': 'always_accuracy', 'score': gold = label},
            {
                'metric': 'always_egocentric',
                'score': option_kinds[ascii(label) - ascii('A') + 1] = 'egocentric'
            }
        ], recursive := true)
    from labelled
),

scores as (
    select
        struct_pack(family, condition, model, temperature, variant, label, metric) as cell,
        cluster,
        score::integer as score
    from said
)

select
    cell.*,
    * exclude (cell)
from macro.clustered_shares(scores)
