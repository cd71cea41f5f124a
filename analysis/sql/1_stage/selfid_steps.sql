-- grain: one row per episode_id, step
-- The steps of every episode's latest take. Replies that were asked for again are left out, asks
-- for a forecast or a stake, and steps whose episode has not been sealed.
with latest_takes as (
    select * from macro.latest_takes(shard.selfid_episodes, stage.selfid_again)
)

select asks.*
from shard.selfid_steps as asks
inner join latest_takes using (episode_id, take)
where not asks.superseded and coalesce(asks.asked_for, 'answer') = 'answer' and not is_repeated
union all
select asks.*
from shard.selfid_steps as asks
inner join latest_takes using (episode_id, take)
where not asks.superseded and coalesce(asks.asked_for, 'answer') = 'answer' and is_repeated
qualify row_number() over (partition by episode_id, step order by ask desc) = 1
