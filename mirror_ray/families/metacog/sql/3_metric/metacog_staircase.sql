-- grain: one row per model, temperature, setting, domain, level
-- Staircases: accuracy at each level of difficulty played, which determines a later stage's levels.
-- An unreadable answer counts as wrong, as in the staircase itself. `n` questions, Wilson's
-- interval on their effective number.
-- replies: where condition = 'staircase'
with scores as (
    select
        struct_pack(
            episodes.family, episodes.model, episodes.temperature, episodes.setting,
            episodes.domain, steps.level
        ) as cell,
        coalesce(steps.item_id, steps.episode_id || steps.ask) as cluster,
        coalesce(steps.correct, false)::integer as score
    from stage.metacog_steps as steps
    inner join episode.metacog as episodes using (episode_id)
    where episodes.experiment = 'staircase' and not episodes.failed and steps.level is not null
)

select
    cell.*,
    n,
    n_episodes,
    estimate as accuracy,
    ci_low,
    ci_high
from macro.clustered_shares(scores)
