-- grain: one row per episode_id, shift
-- The asks of every episode's latest take: one for each cyclic shift of the options that was asked.
-- Those of an episode that has not been sealed are left out.
with asks as (
    select * from shard.mirrorqa_steps
    union all by name
    select
        null::integer as shift,
        null::varchar[] as options,
        null::varchar as choice,
        null::integer as choice_position,
        null::integer as answer_position,
        null::boolean as correct,
        null::integer as shot,
        null::double as azimuth_deg,
        null::double as elevation_deg,
        null::double as distance_m,
        null::integer as limb_px,
        null::integer as limb_hidden_px,
        null::integer as subject_px,
        null::integer as subject_height_px,
        null::integer as subject_direct_px,
        null::integer as mirror_px,
        null::double as limb_right_px
    where false
),

latest_takes as (
    select
        episode_id,
        max(take) as take
    from shard.mirrorqa_episodes
    group by episode_id
)

select asks.*
from asks
inner join latest_takes using (episode_id, take)
where asks.shift is not null
