-- grain: one row per family, condition, temperature, variant, model
-- How many of every family's replies were read. A repeated request counts once, by its last
-- reading; errors of the provider are not replies.
select
    '{family}' as family,
    condition, temperature, variant, model,
    sum(n_replies)::bigint as n_replies,
    sum(n_read)::bigint as n_read
from metric.{family}_read
group by all
