-- grain: one row per episode_id, ask
-- The asks of every episode's latest take.
select asks.*
from shard.metacog_steps as asks
inner join macro.latest_takes(shard.metacog_episodes, stage.metacog_again)
    using (episode_id, take)
where not asks.superseded
