-- grain: one row per episode_id
-- The one question of every episode's latest take.
select asks.*
from shard.flipset_steps as asks
inner join macro.latest_takes(shard.flipset_episodes, stage.flipset_again)
    using (episode_id, take)
qualify row_number() over (partition by episode_id order by ask desc) = 1
