-- grain: one row per episode_id
-- The input of `metric.sureness_answers` for selfid: the cube is selected before anything is
-- staked, so a choice that was handed over has a score, too.
select
    {cell},
    episode_id,
    cluster,
    failed,
    tsa_c as score,
    true as is_known_of_skipped
from episode.selfid
where not contains(condition, '-')
