-- grain: one row per episode_id
-- The right cube, `gold`, and the chosen one, as text for people.
select
    episode_id,
    'the ' || own_color || ' cube' as gold,
    case
        when failed then null
        when choice <> 'none' then 'the ' || chosen || ' cube'
    end as answer
from episode.dyad
