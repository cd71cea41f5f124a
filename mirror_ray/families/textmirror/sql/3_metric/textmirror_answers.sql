-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person.
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
