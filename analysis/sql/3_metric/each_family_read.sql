-- grain: one row per condition, temperature, variant, model
-- How many replies were read; see metric.replies.
with latest as (
    select
        episode_id,
        parse_status
    from stage.{family}_steps
    where parse_status is not null and not superseded
)

select
    episodes.condition, episodes.temperature, episodes.variant, episodes.model,
    count(*) as n_replies,
    count(*) filter (where latest.parse_status <> 'failed') as n_read
from stage.{family}_episodes as episodes
inner join latest using (episode_id)
group by all
