-- grain: one row per episode_id, shift
-- The requests in every episode's latest take: one for each cyclic shift of the options sent.
-- Those of an episode that has not been sealed are left out.
select asks.*
from shard.mirrorqa_steps as asks
inner join macro.latest_takes(shard.mirrorqa_episodes, stage.mirrorqa_again)
    using (episode_id, take)
where asks.shift is not null
