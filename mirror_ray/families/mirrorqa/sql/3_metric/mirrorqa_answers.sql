-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person.
select
    episode_id,
    answer as gold,
    choice as answer
from episode.mirrorqa
