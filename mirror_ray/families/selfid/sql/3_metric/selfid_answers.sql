-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person.
select
    episode_id,
    ego_color as gold,
    if(done, coalesce(nullif(final_cube, 'none'), final_claim), null) as answer
from episode.selfid
