-- grain: one row per condition, temperature, variant, model, author, editor
-- How many replies were read; see metric.replies.
with latest as (
    select
        episode_id,
        parse_status
    from stage.textmirror_steps
    where parse_status is not null and not superseded
)

select
    episodes.condition, episodes.temperature, episodes.variant, episodes.model, episodes.author,
    episodes.editor,
    count(*) as n_replies,
    count(*) filter (where latest.parse_status <> 'failed') as n_read
from stage.textmirror_episodes as episodes
inner join latest using (episode_id)
group by all
