-- grain: one row per temperature, setting, route, operating_point
-- arXiv 2604.19809, Table 19, the cost of routing: parts right in the end, parts done alone, and
-- the expected dollars and milliseconds of a task, means over models, for fixed tasks and all
-- paradigms. C1 has no resolver: parts handed over remain undone. A task costs its requests, and
-- for each escalated part a resolver's cost (set variable resolver_usd = 0.008 and resolver_ms =
-- 360; default 0). NULL if the cost of a request is unknown.
-- replies: where experiment = 'exp9'
with spent as (
    select
        episode_id,
        if(count(cost_usd) = count(*), sum(cost_usd), null) as cost_usd,
        if(count(latency_s) = count(*), sum(latency_s), null) as latency_s
    from stage.metacog_steps
    group by episode_id
),

models as (
    select
        parts.model, parts.temperature, parts.setting, parts.route, parts.information,
        avg(if(parts.proceeded, coalesce(parts.correct, 0), 0)) as right_alone,
        avg((not parts.proceeded)::integer) as escalation,
        avg(spent.cost_usd) as cost_usd,
        avg(spent.latency_s) * 1000 as latency_ms
    from agency.metacog_parts as parts
    left join spent on parts.episode_id = spent.episode_id
    where
        parts.policy = 'median_or_bottom_k' and parts.task_set = 'fixed'
        and parts.information in ('C1', 'C4')
    group by all
),

means as (
    select
        temperature, setting, route, information,
        count(*) as n_models,
        avg(right_alone) as right_alone,
        avg(escalation) as escalation,
        if(count(cost_usd) = count(*), avg(cost_usd), null) as cost_usd,
        if(count(latency_ms) = count(*), avg(latency_ms), null) as latency_ms
    from models
    group by all
)

select
    means.temperature, means.setting, means.route, printed.operating_point,
    means.right_alone + means.escalation * printed.q as sys_success,
    1 - means.escalation as autonomy,
    means.escalation,
    means.cost_usd + if(
        printed.information = 'C1',
        0,
        -- Two parts per task.
        2 * means.escalation * coalesce(getvariable('resolver_usd'), 0)::double
    ) as expected_cost_usd,
    means.latency_ms + if(
        printed.information = 'C1',
        0,
        2 * means.escalation * coalesce(getvariable('resolver_ms'), 0)::double
    ) as expected_latency_ms,
    means.n_models,
    struct_pack(
        sys_success := printed.sys_success,
        autonomy := printed.autonomy,
        escalation := printed.escalation,
        expected_cost_usd := printed.expected_cost_usd,
        expected_latency_ms := printed.expected_latency_ms
    ) as reference,
    'arXiv 2604.19809, Table 19' as cited
from means
inner join macro.metacog_table_19() as printed on means.information = printed.information
order by means.setting, means.temperature, means.route, printed.operating_point
