-- grain: one row per temperature, setting, route, q
-- arXiv 2604.19809, Table 18: parts right in the end with routing (C4) if the resolver is right
-- with probability `q`, and without (C1), where parts handed over remain undone; means over models,
-- for fixed tasks and all paradigms.
-- replies: where experiment = 'exp9'
with means as (
    select
        temperature, setting, route, q,
        avg(right_alone) filter (where information = 'C1') as c1_success,
        avg(success) filter (where information = 'C4') as c4_success,
        count(*) filter (where information = 'C4') as n_models
    from agency.metacog_parts_resolver
    where
        paradigm = 'all' and task_set = 'fixed' and policy = 'median_or_bottom_k'
        and information in ('C1', 'C4')
    group by all
)

select
    means.temperature, means.setting, means.route, means.q, means.c1_success, means.c4_success,
    means.c4_success - means.c1_success as delta,
    means.n_models,
    if(printed.q is null, null, printed) as reference,
    if(printed.q is null, null, 'arXiv 2604.19809, Table 18') as cited
from means
left join macro.metacog_table_18() as printed on means.q = printed.q
order by means.setting, means.temperature, means.route, means.q
