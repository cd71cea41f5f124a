-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people.
select
    episode_id,
    case
        when accuracy is null then null
        when condition = 'authorship' then if(position = 1, 'text A', 'text B')
        else 'sentence ' || position
    end as gold,
    case
        when predicted is null then null
        when condition = 'authorship' then if(predicted = 1, 'text A', 'text B')
        else 'sentence ' || predicted
    end as answer
from episode.textmirror
