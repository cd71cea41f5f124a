-- grain: one row per episode_id, ask, part
-- Every reply with the right option and the reading by rules: CORRECT, INCORRECT or NO_ANSWER.
select
    episodes.family,
    episodes.condition,
    episodes.model,
    asks.episode_id,
    asks.ask,
    '' as part,
    'answer' as rubric,
    'option' as key_kind,
    asks.user as task,
    episodes.answer as key,
    asks.reply,
    case
        when asks.choice is null then 'NO_ANSWER'
        when asks.correct then 'CORRECT'
        else 'INCORRECT'
    end as rules
from stage.mirrorqa_asks as asks
inner join stage.mirrorqa_episodes as episodes using (episode_id)
where asks.error_kind = 'none' and episodes.answer is not null
