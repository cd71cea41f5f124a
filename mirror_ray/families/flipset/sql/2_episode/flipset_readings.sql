-- grain: one row per episode_id, ask, part
-- Every reply with the text of the right option and the reading by rules: CORRECT, INCORRECT or
-- NO_ANSWER.
select
    episodes.family,
    episodes.condition,
    episodes.model,
    steps.episode_id,
    steps.ask,
    '' as part,
    'answer' as rubric,
    'letter' as key_kind,
    steps.user as task,
    substr('ABCD', list_position(episodes.option_kinds, 'correct')::integer, 1)
    || coalesce(': ' || episodes.gold, '') as key,
    steps.reply,
    case
        when steps.answer is null then 'NO_ANSWER'
        when steps.chosen_kind = 'correct' then 'CORRECT'
        else 'INCORRECT'
    end as rules
from stage.flipset_steps as steps
inner join stage.flipset_episodes as episodes using (episode_id)
where steps.error_kind = 'none' and list_contains(episodes.option_kinds, 'correct')
