-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people.
select
    episode_id,
    answer as gold,
    choice as answer
from episode.mirrorqa
