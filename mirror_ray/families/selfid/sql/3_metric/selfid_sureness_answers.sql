-- grain: one row per episode_id
-- What `metric.sureness_answers` reads of selfid: the cube is selected before anything is staked,
-- so that a choice that was handed over has a score, too.
select
    family,
    condition,
    model,
    temperature,
    variant,
    episode_id,
    cluster,
    failed,
    tsa_c as score,
    true as is_known_of_skipped
from episode.selfid
where not contains(condition, '-')
