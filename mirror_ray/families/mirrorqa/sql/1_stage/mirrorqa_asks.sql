-- grain: one row per episode_id, shift
-- The requests of every episode's latest take, one for each cyclic shift of the options, without
-- those of unsealed episodes.
select asks.*
from shard.mirrorqa_steps as asks
inner join macro.latest_takes(shard.mirrorqa_episodes, stage.mirrorqa_again)
    using (episode_id, take)
where asks.shift is not null
