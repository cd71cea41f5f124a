-- grain: one row per family, condition, model, temperature, variant, label, metric
-- What the place of an option does. answered: the share of answers with this letter;
-- accuracy_when: accuracy where this letter is right; always_accuracy and always_egocentric: what a
-- model that always gave this letter would score on the same episodes, since the layouts do not
-- balance places. Intervals are Wilson's on the effective number of the `n` strings.
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
        cluster,
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

units as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        label,
        metric,
        cluster,
        count(score) as unit_n,
        coalesce(sum(score::integer), 0)::double as unit_sum
    from scores
    group by all
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
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) / nullif(sum(unit_n), 0) as estimate,
        macro.clustered_se(unit_sum, unit_n) as se,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by family, condition, model, temperature, variant, label, metric
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
    n_episodes,
    estimate,
    se,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high,
    'wilson' as method
from totals
