-- grain: one row per family, condition, model, temperature, variant, n_options, position
-- How often each place in the list was chosen, over all asks, shifts included, and how often the
-- right option stood there: share - right_share is a bias for or against the place.
with asks as (
    select
        scores.family,
        scores.condition,
        scores.model,
        scores.temperature,
        scores.variant,
        scores.n_options,
        asks.choice_position,
        asks.answer_position
    from stage.mirrorqa_asks as asks
    inner join episode.mirrorqa as scores using (episode_id)
    where not scores.failed
),

places as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        n_options,
        list(choice_position) filter (where choice_position is not null) as choices,
        list(answer_position) as answers,
        unnest(range(1, n_options + 1)) as position
    from asks
    group by family, condition, model, temperature, variant, n_options
),

counts as (
    select
        * exclude (choices, answers),
        len(choices) as n,
        len(list_filter(choices, lambda place: place = position)) as n_chosen,
        len(list_filter(answers, lambda place: place = position)) / len(answers) as right_share
    from places
)

select
    family,
    condition,
    model,
    temperature,
    variant,
    n_options,
    position::integer as position,
    n,
    n_chosen,
    n_chosen / nullif(n, 0) as share,
    macro.wilson_low(n_chosen, n) as ci_low,
    macro.wilson_high(n_chosen, n) as ci_high,
    right_share
from counts
