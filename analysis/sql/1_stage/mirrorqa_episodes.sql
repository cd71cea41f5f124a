-- grain: one row per episode_id
-- The latest take of every episode.
with takes as (
    select * from shard.mirrorqa_episodes
    union all by name
    select
        null::varchar as item,
        null::varchar as split,
        null::varchar[] as quirks,
        null::varchar as kind,
        null::varchar as orientation,
        null::varchar as question,
        null::integer as n_options,
        null::varchar as answer,
        null::varchar as part,
        null::varchar as mark,
        null::varchar as facing,
        null::varchar as flank,
        null::varchar as shown,
        null::integer as n_subjects,
        null::varchar as viewer_answer,
        null::integer as shots,
        null::boolean as circular,
        null::boolean as text_only,
        null::integer as image_width_px,
        null::integer as image_height_px,
        null::varchar as encoding
    where false
)

select *
from takes
qualify row_number() over (partition by episode_id order by take desc) = 1
