-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people.
select
    episode_id,
    if(own_place = 'none', 'none of them', 'the ' || own_place || ' screen') as gold,
    case
        when failed then null
        when answer = 'none' then 'none of them'
        when answer is not null then 'the ' || answer || ' screen'
    end as answer
from episode.contingency
