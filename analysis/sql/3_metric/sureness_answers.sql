-- grain: one row per episode_id
-- Whether an answer about what is seen is right, and how sure the model is of it by its acts:
-- `sureness` on [0, 1] is (bet - 1) / 9, as arXiv 2604.19809's code has it, or the forecast. An
-- answer that was handed over is none (`is_right` NULL); `would_be_right` says what it would have
-- been, where the family knows. `setting` is the variant without the channel. Failed episodes,
-- unread answers' sureness among the rest, are NULL.
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
