-- grain: one row per episode_id
-- Whether an answer about what is seen is right, and the confidence that the model shows in it.
-- `sureness` on [0, 1] is (bet - 1) / 9, as in arXiv 2604.19809's code, or the prediction. A
-- question that was handed over has no answer (`is_right` NULL); `would_be_right` says what it
-- would have been, if the family knows. `setting` is the variant without the channel. Failed
-- episodes, and the sureness of unread answers, are NULL.
select
    answers.* exclude (variant, score, is_known_of_skipped),
    regexp_replace(answers.variant, '\+channel=\w+', '') as setting,
    coalesce(stakes.channel, 'natural') as channel,
    stakes.bet,
    stakes.skipped,
    stakes.predicted_percent,
    coalesce((stakes.bet - 1) / 9, stakes.predicted_percent / 100) as sureness,
    if(coalesce(stakes.skipped, false), null, answers.score) as is_right,
    if(answers.is_known_of_skipped, answers.score, is_right) as would_be_right
from metric.{family}_sureness_answers as answers
left join episode.{family}_stakes as stakes using (episode_id)
