-- grain: one row per temperature, setting, route, frame, strategy
-- arXiv 2604.19809, Table 11: routing whole domains against routing single parts, all paradigms,
-- uninformed (C1) and pooled with C2; fixed tasks, means over models. Strategies as in Table 10.
-- replies: where experiment = 'exp9'
with means as (
    select
        temperature, setting, route, frame, baseline,
        count(weak_cfr) as n_models,
        avg(weak_cfr) as weak_cfr,
        avg(reduction) as cfr_reduction,
        avg(autonomy) as autonomy,
        avg(escalation) as escalation
    from agency.metacog_parts_baselines
    where paradigm = 'all' and task_set = 'fixed'
    group by all
)

select
    means.temperature, means.setting, means.route, means.frame, strategies.strategy, means.weak_cfr,
    means.cfr_reduction, means.autonomy, means.escalation, means.n_models,
    struct_pack(
        weak_cfr := printed.weak_cfr,
        cfr_reduction := printed.cfr_reduction,
        autonomy := printed.autonomy,
        escalation := printed.escalation
    ) as reference,
    'arXiv 2604.19809, Table 11' as cited
from means
inner join macro.metacog_table_10() as strategies on means.baseline = strategies.baseline
inner join macro.metacog_table_11() as printed
    on means.frame = printed.frame and means.baseline = printed.baseline
order by
    means.setting, means.temperature, means.route, means.frame, strategies.place
