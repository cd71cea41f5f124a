-- grain: one row per episode_id
-- The latest take of every episode.
with takes as (
    select * from shard.flipset_episodes
    union all by name
    select
        null::varchar as item_class,
        null::varchar as item,
        null::varchar[] as options,
        null::varchar[] as option_kinds,
        null::varchar as layout,
        null::varchar as gold,
        null::integer as angle_deg,
        null::boolean as hidden,
        null::varchar as prompting,
        null::integer as layouts,
        null::varchar as strings,
        null::integer as image_width_px,
        null::integer as image_height_px,
        null::varchar as encoding
    where false
)

select *
from takes
qualify row_number() over (partition by episode_id order by take desc) = 1
