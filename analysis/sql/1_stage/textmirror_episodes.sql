-- grain: one row per episode_id
-- The latest take of every episode.
with takes as (
    select * from shard.textmirror_episodes
    union all by name
    select
        null::integer as n_sentences,
        null::varchar as author,
        null::varchar as editor,
        null::varchar as reader,
        null::varchar as parent_id,
        null::varchar as seed_text,
        null::varchar as seed_origin,
        null::varchar[] as prompts,
        null::varchar[] as sentences,
        null::boolean as kept,
        null::integer as position,
        null::varchar as original_sentence,
        null::varchar as revised_sentence,
        null::integer as original_words,
        null::integer as revised_words,
        null::integer as predicted,
        null::boolean as valid,
        null::boolean as correct
    where false
)

select *
from takes
qualify row_number() over (partition by episode_id order by take desc) = 1
