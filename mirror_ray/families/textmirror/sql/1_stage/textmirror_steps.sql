-- grain: one row per episode_id
-- The one ask of every episode, of its latest take.
select asks.*
from shard.textmirror_steps as asks
inner join macro.latest_takes(shard.textmirror_episodes, stage.textmirror_again)
    using (episode_id, take)
