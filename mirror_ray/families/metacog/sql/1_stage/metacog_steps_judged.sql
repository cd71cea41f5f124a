-- grain: one row per episode_id, ask
-- The requests as metrics read them: `stage.metacog_steps` with the judges' verdicts instead of the
-- rules' readings where requested. With the variable matching = 'judge', judges decide whether a
-- free answer (key of words) is right, and a closed one if they read those; NULL if they left it
-- open. Closed answers without a judge keep the rules' reading. If judges read only unread answers,
-- they decide only those. The judges' reading of requests counts if a run has any, unless
-- `matching` names the rules (grammar, published). The variable `judge` names one of several
-- judges; without it all must agree.
with said as (
    select
        judged_id as episode_id,
        judged_ask as ask,
        judged_part as part,
        cell_id,
        -- '' is a reply without a verdict: `arg_max` would ignore a NULL for an earlier take.
        arg_max(coalesce(verdict, ''), take) as verdict,
        bool_or(rubric = 'premise') as of_request
    from shard.metacog_steps
    where judged_id is not null and model = coalesce(getvariable('judge'), model)
    group by judged_id, judged_ask, judged_part, cell_id
),

by_ask as (
    select
        episode_id,
        ask,
        bool_or(of_request) as of_request,
        macro.agreed_verdict(list(verdict) filter (where part = '')) as verdict,
        macro.agreed_verdict(list(verdict) filter (where part = 'a')) as verdict_a,
        macro.agreed_verdict(list(verdict) filter (where part = 'b')) as verdict_b
    from said
    group by episode_id, ask
),

asked as (
    select
        coalesce(bool_or(contains(variant, '+judged_keys=all')), false) as all_keys,
        coalesce(bool_or(contains(variant, '+judged_keys=unread')), false) as only_unread,
        coalesce(bool_or(rubric = 'premise'), false) as premises
    from shard.metacog_steps
    where judged_id is not null and model = coalesce(getvariable('judge'), model)
)

select
    steps.* replace (
        if(
            macro.is_for_a_judge(
                steps.key_kind, asked.all_keys, asked.only_unread, steps.answer is null
            ),
            macro.is_correct(by_ask.verdict),
            steps.correct
        ) as correct,
        if(
            macro.is_for_a_judge(
                steps.key_kind_a, asked.all_keys, asked.only_unread, steps.answer_a is null
            ),
            macro.is_correct(by_ask.verdict_a),
            steps.correct_a
        ) as correct_a,
        if(
            macro.is_for_a_judge(
                steps.key_kind_b, asked.all_keys, asked.only_unread, steps.answer_b is null
            ),
            macro.is_correct(by_ask.verdict_b),
            steps.correct_b
        ) as correct_b,
        if(
            macro.takes_the_judges(asked.premises),
            if(by_ask.of_request, lower(by_ask.verdict), null),
            steps.premise_reply
        ) as premise_reply,
        if(
            macro.takes_the_judges(asked.premises),
            if(
                by_ask.of_request, list_contains(['EXECUTION', 'CAVEAT'], by_ask.verdict), null
            ),
            steps.premise_endorsed
        ) as premise_endorsed
    )
from stage.metacog_steps as steps
cross join asked
left join by_ask on steps.episode_id = by_ask.episode_id and steps.ask = by_ask.ask
