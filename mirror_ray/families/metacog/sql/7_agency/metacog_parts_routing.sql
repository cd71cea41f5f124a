-- grain: one row per model, temperature, setting, paradigm, task_set, route, threshold
-- External routing, computed from the uninformed condition (C1): parts whose domain is below the
-- threshold of the model's natural accuracy go to the resolver. Threshold 0 routes nothing.
-- `success` at resolver accuracy q (set variable resolver_accuracy = 0.9), and `utility`: success
-- minus the cost of escalations (set variable escalation_cost = 0.1). The frontier consists of the
-- thresholds that no other beats in both autonomy and success.
-- replies: where experiment = 'exp9'
with parts as (
    select *
    from agency.metacog_parts
    where information = 'C1' and policy = 'median_or_bottom_k' and natural_accuracy is not null
),

thresholds as (
    select unnest(range(0, 21)) / 20 as threshold
),

routed as (
    select
        parts.*,
        threshold,
        proceeded and natural_accuracy >= threshold as goes_ahead
    from parts
    cross join thresholds
),

means as (
    select
        {described},
        paradigm, task_set, route, threshold,
        count(distinct (cluster, part)) as n,
        avg(goes_ahead::integer) as autonomy,
        count(*) filter (where weak and goes_ahead and correct = 0)
        / nullif(count(*) filter (where weak and decided), 0) as cfr,
        avg(if(
            goes_ahead, coalesce(correct, 0), coalesce(getvariable('resolver_accuracy'), 1)::double
        )) as success
    from routed
    group by family, model, temperature, setting, paradigm, task_set, route, threshold
),

costed as (
    select
        *,
        success
        - (1 - autonomy) * coalesce(getvariable('escalation_cost'), 0.1)::double as utility
    from means
)

select
    *,
    not exists (
        select 1
        from costed as better
        where
            better.model = costed.model
            and better.temperature is not distinct from costed.temperature
            and better.setting = costed.setting
            and better.paradigm = costed.paradigm
            and better.task_set = costed.task_set
            and better.route = costed.route
            and better.autonomy >= costed.autonomy
            and better.success >= costed.success
            and (better.autonomy > costed.autonomy or better.success > costed.success)
    ) as on_frontier
from costed
