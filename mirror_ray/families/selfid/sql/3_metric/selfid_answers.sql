-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people.
select
    episode_id,
    ego_color as gold,
    if(done, coalesce(nullif(final_cube, 'none'), final_claim), null) as answer
from episode.selfid
