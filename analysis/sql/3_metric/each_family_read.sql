-- grain: one row per condition, temperature, variant, model
-- How many replies were read. A repeated request counts once, by its last reading; errors of the
-- provider are not replies.
with latest as (
    select
        episode_id,
        parse_status
    from stage.{family}_steps
    where parse_status is not null and not superseded
)

select
    episodes.condition,
    episodes.temperature,
    episodes.variant,
    episodes.model,
    count(*) as n_replies,
    count(*) filter (where latest.parse_status <> 'failed') as n_read,
    n_read / n_replies as share_read
from stage.{family}_episodes as episodes
inner join latest using (episode_id)
group by episodes.condition, episodes.temperature, episodes.variant, episodes.model
