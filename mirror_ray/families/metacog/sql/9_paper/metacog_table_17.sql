-- grain: one row per temperature, setting, route, information
-- arXiv 2604.19809, Table 17: parts done alone, done alone and right, handed over, and right in the
-- end where whoever takes over is right (set variable resolver_accuracy), means over models, of
-- fixed tasks and all paradigms.
with printed as (
    select *
    from (
        values
            ('C1', 0.898e0, 0.324e0, 0.102e0, 0.426e0),
            ('C2', 0.847, 0.310, 0.153, 0.463),
            ('C3', 0.765, 0.288, 0.235, 0.523),
            ('C4', 0.457, 0.210, 0.543, 0.753)
    ) as of_table (information, autonomy, auto_correct, escalated, sys_success)
),

means as (
    select
        temperature,
        setting,
        route,
        information,
        count(*) as n_models,
        avg(autonomy) as autonomy,
        avg(right_alone) as auto_correct,
        1 - avg(autonomy) as escalated,
        avg(success) as sys_success
    from agency.metacog_parts_outcomes
    where paradigm = 'all' and task_set = 'fixed' and policy = 'median_or_bottom_k'
    group by all
)

select
    means.*,
    if(printed.information is null, null, printed) as reference,
    if(printed.information is null, null, 'arXiv 2604.19809, Table 17') as cited
from means
left join printed on means.information = printed.information
order by means.setting, means.temperature, means.route, means.information
