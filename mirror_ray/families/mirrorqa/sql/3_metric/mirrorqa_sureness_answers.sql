-- grain: one row per episode_id
-- The input of `metric.sureness_answers` for mirrorqa: a question handed over has no answer.
select
    {cell},
    episode_id,
    cluster,
    failed,
    accuracy as score,
    false as is_known_of_skipped
from episode.mirrorqa
