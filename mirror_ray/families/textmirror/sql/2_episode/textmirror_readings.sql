-- grain: one row per episode_id, ask, part
-- Every reply with a right answer, that answer, and the reading by rules: CORRECT, INCORRECT or
-- NO_ANSWER. For an unchanged story no answer is right.
select
    episodes.family,
    episodes.condition,
    episodes.model,
    steps.episode_id,
    steps.ask,
    '' as part,
    'answer' as rubric,
    if(episodes.condition = 'recognition', 'number', 'letter') as key_kind,
    steps.user as task,
    case episodes.condition
        when 'recognition' then episodes.position::varchar
        when 'authorship' then substr('AB', episodes.position::integer, 1)
        else concat_ws(': ', chr(64 + episodes.position::integer), episodes.editor)
    end as key,
    steps.reply,
    case
        when not coalesce(episodes.valid, false) then 'NO_ANSWER'
        when episodes.correct then 'CORRECT'
        else 'INCORRECT'
    end as rules
from stage.textmirror_steps as steps
inner join stage.textmirror_episodes as episodes using (episode_id)
where
    steps.error_kind = 'none'
    and episodes.condition in ('recognition', 'authorship', 'attribution')
    and episodes.correct is not null
