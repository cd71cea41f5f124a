-- grain: one row per episode_id, step
-- The steps of every episode's latest take. Replies that were asked for again are left out, and so
-- are steps whose episode has not been sealed.
with asks as not materialized (
    select * from shard.selfid_steps
    union all by name
    select
        null::varchar as action,
        null::varchar as identification,
        null::varchar as selected_cube,
        null::double as x_m,
        null::double as y_m,
        null::double as yaw_deg,
        null::boolean as bumped,
        null::integer as mirror_px,
        null::integer as ego_reflection_px,
        null::integer[] as other_reflection_px,
        null::integer[] as other_px,
        null::integer[] as cube_reflection_px,
        null::integer[] as cube_px,
        null::integer as clutter_reflection_px,
        null::integer as clutter_px,
        null::integer as ego_direct_px,
        null::varchar as view_description,
        null::varchar as thought,
        null::varchar as summary
    where false
),

-- Only where an episode has several rows can its steps stand in several shards.
latest_takes as (
    select
        episode_id,
        max(take) as take,
        count(*) > 1 as is_repeated
    from shard.selfid_episodes
    group by episode_id
)

select asks.*
from asks
inner join latest_takes using (episode_id, take)
where not superseded and not is_repeated
union all
select asks.*
from asks
inner join latest_takes using (episode_id, take)
where not superseded and is_repeated
qualify row_number() over (partition by episode_id, step order by ask desc) = 1
