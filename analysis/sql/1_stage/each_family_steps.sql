-- grain: one row per episode_id, ask
-- The requests of every episode's latest take.
select asks.*
from shard.{family}_steps as asks
inner join macro.latest_takes(shard.{family}_episodes, stage.{family}_again)
    using (episode_id, take)
where not asks.superseded
