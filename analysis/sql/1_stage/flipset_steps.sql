-- grain: one row per episode_id
-- The one question of every episode's latest take.
with asks as (
    select * from shard.flipset_steps
    union all by name
    select
        null::varchar as answer,
        null::varchar as chosen_kind,
        null::integer as card_px,
        null::integer as monkey_px,
        null::integer as screen_px,
        null::double as text_height_px
    where false
),

latest_takes as (
    select
        episode_id,
        max(take) as take
    from shard.flipset_episodes
    group by episode_id
)

select asks.*
from asks
inner join latest_takes using (episode_id, take)
qualify row_number() over (partition by episode_id order by ask desc) = 1
