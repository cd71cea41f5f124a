-- grain: one row per episode_id
-- What `metric.sureness_answers` reads of mirrorqa: an answer that was handed over was not given.
select
    family,
    condition,
    model,
    temperature,
    variant,
    episode_id,
    cluster,
    failed,
    accuracy as score,
    false as is_known_of_skipped
from episode.mirrorqa
