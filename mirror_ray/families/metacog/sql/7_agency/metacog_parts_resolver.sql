-- grain: one row per model, temperature, setting, information, paradigm, task_set, route, policy, q
-- How success depends on the resolver: parts right in the end if it is right with probability q
-- (arXiv 2604.19809, resolver sensitivity). What the model did alone does not change, and a part
-- without an answer is wrong.
-- replies: where experiment = 'exp9'
with pooled as (
    select * replace (unnest([paradigm, 'all']) as paradigm)
    from agency.metacog_parts
    where policy is not null
),

shares as (
    select
        struct_pack(
            family, model, temperature, setting, information, paradigm, task_set, route, policy
        ) as cell,
        count(distinct (cluster, part)) as n,
        avg(if(proceeded, coalesce(correct, 0), 0)) as right_alone,
        avg((not proceeded)::integer) as escalated
    from pooled
    group by all
),

accuracies as (
    select unnest(range(0, 11)) / 10 as q
)

select
    cell.*,
    shares.* exclude (cell),
    accuracies.q,
    right_alone + escalated * accuracies.q as success
from shares
cross join accuracies
