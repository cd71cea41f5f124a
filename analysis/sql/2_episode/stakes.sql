-- grain: one row per episode_id
-- empty without: stage.flipset_episodes where channel <> 'natural'
-- empty without: stage.mirrorqa_episodes where channel <> 'natural'
-- empty without: stage.selfid_episodes_labels where channel <> 'natural'
-- What a model staked on an answer about what it sees, in whichever family: of MirrorQA's shifted
-- options, on the first order. Episodes of the channel natural have no row.
with asks as (
    select
        episode_id,
        take,
        step,
        bet,
        skipped,
        predicted_percent,
        0 as shift
    from shard.flipset_steps
    union all by name
    select
        episode_id,
        take,
        step,
        bet,
        skipped,
        predicted_percent,
        coalesce(shift, 0) as shift
    from shard.mirrorqa_steps
    union all by name
    select
        episode_id,
        take,
        step,
        bet,
        skipped,
        predicted_percent,
        0 as shift
    from shard.selfid_steps
    where asked_for <> 'answer'
),

episodes as (
    select
        episode_id,
        take,
        channel
    from stage.flipset_episodes
    union all by name
    select
        episode_id,
        take,
        channel
    from stage.mirrorqa_episodes
    union all by name
    select
        episode_id,
        take,
        channel
    from stage.selfid_episodes
)

select
    episode_id,
    any_value(episodes.channel) as channel,
    arg_max(asks.bet, asks.step) as bet,
    arg_max(asks.skipped, asks.step) as skipped,
    arg_max(asks.predicted_percent, asks.step) as predicted_percent
from episodes
inner join asks using (episode_id, take)
where episodes.channel <> 'natural' and asks.shift = 0
group by episode_id
