-- grain: one row per episode_id
-- empty without: stage.selfid_episodes_labels where channel <> 'natural'
-- What a model staked on its choice, in channels other than natural.
select
    episode_id,
    any_value(episodes.channel) as channel,
    arg_max(asks.bet, asks.step) as bet,
    arg_max(asks.skipped, asks.step) as skipped,
    arg_max(asks.predicted_percent, asks.step) as predicted_percent
from stage.selfid_episodes as episodes
inner join shard.selfid_steps as asks using (episode_id, take)
where episodes.channel <> 'natural' and asks.asked_for <> 'answer'
group by episode_id
