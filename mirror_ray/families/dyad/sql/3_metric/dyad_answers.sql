-- grain: one row per episode_id
-- What would have been right, `gold`, and what was chosen, both in words for a person.
select
    episode_id,
    'the ' || own_color || ' cube' as gold,
    case
        when failed then null
        when choice <> 'none' then 'the ' || chosen || ' cube'
    end as answer
from episode.dyad
