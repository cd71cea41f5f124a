-- grain: one row per episode_id, step
-- The steps of every episode's latest take, without repeated requests and without steps of unsealed
-- episodes.
select asks.*
from shard.marktest_steps as asks
inner join macro.latest_takes(shard.marktest_episodes, stage.marktest_again)
    using (episode_id, take)
where not asks.superseded
qualify row_number() over (partition by asks.episode_id, asks.step order by asks.ask desc) = 1
