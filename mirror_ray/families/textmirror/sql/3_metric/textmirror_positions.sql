-- grain: one row per model, temperature, variant, position
-- Recognition by position of the revised sentence: how often it is revised and how often it is
-- named, recall (accuracy there), precision and F1. `position` 0 is "nothing is strange"; replies
-- without a possible number are in no `n_predicted`, but in every denominator. `n` stories; recall
-- is over the `n_revised` that were revised there, and has Wilson's interval on their effective
-- number.
-- replies: where condition = 'recognition'
with answers as (
    select *
    from episode.textmirror
    where condition = 'recognition' and not failed
),

readers as (
    select
        model, temperature, variant,
        any_value(family) as family,
        max(n_sentences) as n_sentences,
        count(distinct cluster) as n,
        count(*) as n_episodes
    from answers
    group by model, temperature, variant
),

places as (
    select *, unnest(range(n_sentences::bigint + 1))::integer as position
    from readers
),

units as (
    select
        places.*,
        answers.cluster,
        count(*) filter (where answers.accuracy is not null and answers.position = places.position)
            as n_actual,
        count(*) filter (where answers.usable = 1 and answers.predicted = places.position)
            as n_predicted,
        count(*) filter (
            where answers.accuracy = 1 and answers.position = places.position
        ) as n_hit
    from places
    left join answers
        on
            places.model = answers.model
            and places.temperature is not distinct from answers.temperature
            and places.variant = answers.variant
    group by all
),

counts as (
    select
        family, model, temperature, variant, position, n_sentences, n, n_episodes,
        sum(n_actual)::bigint as n_actual,
        sum(n_predicted)::bigint as n_predicted,
        sum(n_hit)::bigint as n_hit,
        count(*) filter (where n_actual > 0) as n_revised,
        macro.effective_n_cautious(n_hit, n_actual) as n_effective
    from units
    group by family, model, temperature, variant, position, n_sentences, n, n_episodes
)

select
    family, model, temperature, variant, position, n_sentences, n, n_episodes, n_revised, n_actual,
    n_predicted, n_hit,
    n_actual / n_episodes as actual_share,
    n_predicted / n_episodes as predicted_share,
    n_hit / nullif(n_actual, 0) as recall,
    macro.wilson_low(n_hit / nullif(n_actual, 0) * n_effective, n_effective) as recall_low,
    macro.wilson_high(n_hit / nullif(n_actual, 0) * n_effective, n_effective) as recall_high,
    n_hit / nullif(n_predicted, 0) as precision_share,
    macro.f1(n_hit / nullif(n_predicted, 0), n_hit / nullif(n_actual, 0)) as f1
from counts
where position > 0 or n_predicted > 0
