-- grain: one row per condition, temperature, variant, model
-- How many replies were read; see metric.replies.
select
    condition, temperature, variant, model,
    sum(n_replies)::bigint as n_replies,
    sum(n_read)::bigint as n_read
from episode.selfid
group by all
having sum(n_replies) > 0
