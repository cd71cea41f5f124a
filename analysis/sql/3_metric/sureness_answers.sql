-- grain: one row per episode_id
-- Whether an answer about what is seen is right, and how sure the model is of it by its acts:
-- `sureness` on [0, 1] is (bet - 1) / 9, as arXiv 2604.19809's code has it, or the forecast. An
-- answer that was handed over is none (`is_right` NULL); only selfid, where the cube is selected
-- first, knows whether it would have been right: `would_be_right`. `setting` is the variant without
-- the channel. Failed episodes, unread answers' sureness among the rest, are NULL.
with answers as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        episode_id,
        cluster,
        failed,
        accuracy as score
    from episode.flipset
    union all by name
    select
        family,
        condition,
        model,
        temperature,
        variant,
        episode_id,
        cluster,
        failed,
        accuracy as score
    from episode.mirrorqa
    union all by name
    select
        family,
        condition,
        model,
        temperature,
        variant,
        episode_id,
        cluster,
        failed,
        tsa_c as score
    from episode.selfid
    where not contains(condition, '-')
)

select
    answers.* exclude (variant, score),
    regexp_replace(answers.variant, '\+channel=\w+', '') as setting,
    coalesce(stakes.channel, 'natural') as channel,
    stakes.bet,
    stakes.skipped,
    stakes.predicted_percent,
    coalesce((stakes.bet - 1) / 9, stakes.predicted_percent / 100) as sureness,
    if(coalesce(stakes.skipped, false), null, answers.score) as is_right,
    if(answers.family = 'selfid', answers.score, is_right) as would_be_right
from answers
left join episode.stakes as stakes using (episode_id)
