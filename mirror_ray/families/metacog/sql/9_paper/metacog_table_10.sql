-- grain: one row per temperature, setting, route, strategy
-- arXiv 2604.19809, Table 10: routing whole domains against routing single parts, uninformed (C1)
-- and without tools (paradigm 3), fixed tasks; means over models. Confidence is read from hedges,
-- and calibrated by Platt's fit to the other half of the tasks (the published code fits one half
-- and applies it to both); self-consistency is agreement of repetitions, not a count of steps.
-- replies: where experiment = 'exp9'
with means as (
    select
        temperature, setting, route, baseline,
        count(weak_cfr) as n_models,
        avg(weak_cfr) as weak_cfr,
        avg(reduction) as cfr_reduction,
        avg(autonomy) as autonomy,
        avg(escalation) as escalation
    from agency.metacog_parts_baselines
    where frame = 'C1' and paradigm = 'no_tools' and task_set = 'fixed'
    group by all
)

select
    means.temperature, means.setting, means.route, printed.strategy, means.weak_cfr,
    means.cfr_reduction, means.autonomy, means.escalation, means.n_models,
    struct_pack(
        weak_cfr := printed.weak_cfr,
        cfr_reduction := printed.cfr_reduction,
        autonomy := printed.autonomy,
        escalation := printed.escalation
    ) as reference,
    'arXiv 2604.19809, Table 10' as cited
from means
inner join macro.metacog_table_10() as printed on means.baseline = printed.baseline
order by means.setting, means.temperature, means.route, printed.place
