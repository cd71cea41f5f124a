-- grain: one row per temperature, setting, route, information
-- arXiv 2604.19809, Table 17: parts done alone, done alone and right, handed over, and right in the
-- end with a resolver (set variable resolver_accuracy), means over models, for fixed tasks and all
-- paradigms.
-- replies: temperature; setting; information where experiment = 'exp9'
with means as (
    select
        temperature, setting, route, information,
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
left join macro.metacog_table_17() as printed on means.information = printed.information
order by means.setting, means.temperature, means.route, means.information
