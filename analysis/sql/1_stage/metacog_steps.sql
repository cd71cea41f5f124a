-- grain: one row per episode_id, ask
-- The asks of every episode's latest take.
with takes as (
    select * from shard.metacog_steps
    union all by name
    select
        null::varchar as phase,
        null::varchar as status,
        null::varchar as domain,
        null::varchar as item_id,
        null::varchar as truth,
        null::varchar as answer,
        null::varchar as answer_plain,
        null::boolean as correct,
        null::boolean as correct_lenient,
        null::integer as bet,
        null::boolean as skipped,
        null::varchar as choice,
        null::varchar[] as tools,
        null::double[] as tool_results,
        null::integer as n_hedges,
        null::integer as n_caveats,
        null::integer as n_words,
        null::double as confidence,
        null::double as self_prediction,
        null::double as signal,
        null::integer as approach,
        null::boolean as flagged,
        null::varchar as priming,
        null::double as self_score,
        null::varchar as premise_reply,
        null::boolean as premise_endorsed,
        null::boolean as yielded,
        null::varchar as decision_a,
        null::varchar as decision_b,
        null::varchar as answer_a,
        null::varchar as answer_b,
        null::boolean as correct_a,
        null::boolean as correct_b,
        null::boolean as correct_lenient_a,
        null::boolean as correct_lenient_b,
        null::varchar[] as tools_a,
        null::varchar[] as tools_b,
        null::integer as n_hedges_a,
        null::integer as n_hedges_b,
        null::integer as n_words_a,
        null::integer as n_words_b
    where false
),

latest_takes as (
    select
        episode_id,
        max(take) as take
    from shard.metacog_episodes
    group by episode_id
)

select takes.*
from takes
semi join latest_takes as latest
    on takes.episode_id = latest.episode_id and takes.take = latest.take
where not takes.superseded
