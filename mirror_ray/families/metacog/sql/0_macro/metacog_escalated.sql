-- grain: one row per subject, baseline
-- table macro: metacog_escalated(scored)
-- The effect of escalating the lowest scores first. `scored`: at each score, `n` answers; of the
-- `n_of` that count, `n_wrong` are wrong. `allowed` of a subject's answers are escalated; equal
-- scores are equally likely. `rate`: neither escalated nor right, of those that count. NULL if an
-- answer has no score.
with taken as (
    select
        *,
        if(
            score is null,
            null,
            greatest(0, least(n, allowed - (sum(n) over earlier - n)))
        ) as escalated
    from query_table(scored)
    window earlier as (partition by subject, baseline order by score)
)

select
    subject,
    baseline,
    sum(n) as n,
    sum(n_of) as n_of,
    sum(n_episodes) as n_episodes,
    if(count(escalated) = count(*), sum(escalated), null) / sum(n) as escalation,
    if(count(escalated) = count(*), sum(n_wrong * (1 - escalated / n)), null)
    / nullif(sum(n_of), 0) as rate
from taken
group by subject, baseline
