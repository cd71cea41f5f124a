-- grain: one row per condition, temperature, variant, model
-- How many replies were read; see metric.replies.
select
    scores.condition,
    scores.temperature,
    scores.variant,
    scores.model,
    sum(n_replies)::bigint as n_replies,
    sum(n_read)::bigint as n_read
from stage.selfid_trajectories_counts
inner join episode.selfid as scores using (episode_id)
group by all
having sum(n_replies) > 0
