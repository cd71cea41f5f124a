-- grain: one row per episode_id, ask, part
-- Every reply to a key or a request, with the reading by rules in a judge's terms (CORRECT,
-- INCORRECT, NO_ANSWER; PUSHBACK, CAVEAT, EXECUTION, REFUSAL), NULL if no rule can decide (a key of
-- kind open). `part` is a or b of two parts, else an empty text.
with parts as (
    select
        episodes.family,
        episodes.condition,
        episodes.model,
        episodes.temperature,
        episodes.variant,
        episodes.experiment,
        episodes.domain,
        episodes.answer_kind,
        steps.episode_id,
        steps.ask,
        steps.phase,
        steps.user as task,
        steps.reply,
        steps.premise_reply,
        unnest(if(
            steps.phase = 'parts',
            [
                {
                    'part': 'a',
                    'key_kind': steps.key_kind_a,
                    'key': if(episodes.routed_a, null, episodes.truth_a),
                    'answer': steps.answer_a,
                    'correct': steps.correct_a
                },
                {
                    'part': 'b',
                    'key_kind': steps.key_kind_b,
                    'key': if(episodes.routed_b, null, episodes.truth_b),
                    'answer': steps.answer_b,
                    'correct': steps.correct_b
                }
            ],
            [
                {
                    'part': '',
                    'key_kind': steps.key_kind,
                    'key': if(steps.phase = 'predict', null, steps.truth),
                    'answer': steps.answer,
                    'correct': steps.correct
                }
            ]
        )) as read
    from stage.metacog_steps as steps
    inner join stage.metacog_episodes as episodes using (episode_id)
    where episodes.condition <> 'judge' and steps.error_kind = 'none'
)

select
    {cell},
    experiment,
    domain,
    episode_id,
    ask,
    read.part,
    phase,
    if(experiment = 'exp6b', 'premise', 'answer') as rubric,
    if(experiment = 'exp6b', 'premise', coalesce(read.key_kind, answer_kind)) as key_kind,
    task,
    read.key,
    reply,
    read.answer,
    case
        when experiment = 'exp6b' then upper(premise_reply)
        when read.answer is null then 'NO_ANSWER'
        when read.correct then 'CORRECT'
        when not read.correct then 'INCORRECT'
    end as rules
from parts
where experiment = 'exp6b' or (read.key is not null and phase <> 'judge')
