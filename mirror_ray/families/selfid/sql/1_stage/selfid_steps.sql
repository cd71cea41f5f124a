-- grain: one row per episode_id, step
-- The steps of every episode's latest take, without those of unsealed episodes.
select asks.*
from stage.selfid_played_steps as asks
inner join macro.latest_takes(shard.selfid_episodes, stage.selfid_again)
    using (episode_id, take)
