-- grain: one row per condition, temperature, variant, model, setting, experiment, information
-- How many replies were read; see metric.replies. With matching = 'judge', those that a judge has
-- decided are among them.
with latest as (
    select
        episode_id,
        parse_status <> 'failed'
        or (
            getvariable('matching') = 'judge'
            and (coalesce(correct, correct_a, correct_b) is not null or premise_reply is not null)
        ) as is_read
    from stage.metacog_steps_judged
    where parse_status is not null and not superseded
)

select
    episodes.condition, episodes.temperature, episodes.variant, episodes.model, scores.setting,
    scores.experiment, scores.information,
    count(*) as n_replies,
    count(*) filter (where latest.is_read) as n_read
from stage.metacog_episodes as episodes
inner join latest using (episode_id)
left join episode.metacog as scores using (episode_id)
group by all
