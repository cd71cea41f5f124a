-- grain: one row per episode_id
-- empty without: stage.flipset_episodes where channel <> 'natural'
-- What a model staked on an answer, in channels other than natural.
select
    episode_id,
    any_value(episodes.channel) as channel,
    arg_max(asks.bet, asks.step) as bet,
    arg_max(asks.skipped, asks.step) as skipped,
    arg_max(asks.predicted_percent, asks.step) as predicted_percent
from stage.flipset_episodes as episodes
inner join shard.flipset_steps as asks using (episode_id, take)
where episodes.channel <> 'natural'
group by episode_id
