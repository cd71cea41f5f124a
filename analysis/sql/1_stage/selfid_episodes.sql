-- grain: one row per episode_id
-- The latest take of every episode.
with takes as not materialized (
    select * from shard.selfid_episodes
    union all by name
    select
        null::varchar as ego_color,
        null::varchar[] as cube_colors,
        null::double[] as cube_x_m,
        null::double[] as cube_y_m,
        null::varchar as wrong_color,
        null::integer as n_others,
        null::varchar[] as other_colors,
        null::varchar as mirror_wall,
        null::boolean as mirror_present,
        null::double as start_x_m,
        null::double as start_y_m,
        null::double as start_yaw_deg,
        null::boolean as first_frame_mirror,
        null::boolean as near_at_done,
        null::integer as image_width_px,
        null::integer as image_height_px,
        null::double as fov_deg,
        null::integer as history,
        null::varchar as encoding,
        null::integer as max_steps,
        null::varchar as parent_id,
        null::integer as branch_step
    where false
),

-- To rank whole rows is dear: only those are ranked that stand several times.
repeated as (
    select episode_id
    from shard.selfid_episodes
    group by episode_id
    having count(*) > 1
)

select *
from takes
anti join repeated using (episode_id)
union all
select *
from takes
semi join repeated using (episode_id)
qualify row_number() over (partition by episode_id order by take desc) = 1
