-- grain: one row per model, temperature, setting, domain, level
-- Staircases: the share of right answers at each level of difficulty that was asked, from which a
-- later stage's levels follow. An answer that cannot be read is not right, as there. `n` questions,
-- Wilson's interval on their effective number.
with units as (
    select
        episodes.family,
        episodes.model,
        episodes.temperature,
        episodes.setting,
        episodes.domain,
        steps.level,
        coalesce(steps.item_id, steps.episode_id || steps.ask) as cluster,
        count(*) as unit_n,
        sum(coalesce(steps.correct, false)::integer)::double as unit_sum
    from stage.metacog_steps as steps
    inner join episode.metacog as episodes using (episode_id)
    where episodes.experiment = 'staircase' and not episodes.failed and steps.level is not null
    group by all
),

totals as (
    select
        family,
        model,
        temperature,
        setting,
        domain,
        level,
        count(*) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) / sum(unit_n) as accuracy,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by family, model, temperature, setting, domain, level
)

select
    family,
    model,
    temperature,
    setting,
    domain,
    level,
    n,
    n_episodes,
    accuracy,
    macro.wilson_low(accuracy * n_effective, n_effective) as ci_low,
    macro.wilson_high(accuracy * n_effective, n_effective) as ci_high
from totals
