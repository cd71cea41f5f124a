-- grain: one row per family, condition, model, temperature, variant, label, metric
-- What the place of an option does. answered: the share of answers with this letter;
-- accuracy_when: accuracy where this letter is right; always_accuracy and always_egocentric: what a
-- model that always gave this letter would score on the same episodes, since the layouts do not
-- balance places.
with labelled as (
    select
        scores.*,
        unnest(['A', 'B', 'C', 'D'][:len(played.option_kinds)]) as label,
        played.option_kinds
    from episode.flipset as scores
    inner join stage.flipset_episodes as played using (episode_id)
    where not failed
),

scores as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        label,
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

totals as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        label,
        metric,
        count(score) as n,
        sum(score::integer)::double as total,
        avg(score::integer) as estimate,
        stddev_samp(score::integer) / sqrt(count(score)) as se
    from scores
    group by all
)

select
    family,
    condition,
    model,
    temperature,
    variant,
    label,
    metric,
    n,
    estimate,
    se,
    macro.wilson_low(total, n) as ci_low,
    macro.wilson_high(total, n) as ci_high,
    'wilson' as method
from totals
