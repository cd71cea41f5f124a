-- grain: one row per temperature, setting, route, definition
-- arXiv 2604.19809, Table 9: confident failures without information (C1) and with routing (C4)
-- under three definitions of a weak domain, over all models, paradigms and fixed tasks; every part
-- counts once. `n_weak` is that of C1. If C4 routed by the same definition, its CFR is 0 by
-- construction.
-- replies: where experiment = 'exp9'
with counts as (
    select
        temperature, setting, route, policy,
        avg(coalesce(proceeded and correct = 0, false)::integer) filter (
            where information = 'C1' and decided
        ) as c1_cfr,
        avg(coalesce(proceeded and correct = 0, false)::integer) filter (
            where information = 'C4' and decided
        ) as c4_cfr,
        count(distinct (model, paradigm, cluster, part)) filter (
            where information = 'C1' and decided
        ) as n_weak
    from agency.metacog_parts
    where weak and task_set = 'fixed'
    group by all
)

select
    counts.temperature, counts.setting, counts.route, printed.definition, counts.c1_cfr,
    counts.c4_cfr,
    1 - counts.c4_cfr / nullif(counts.c1_cfr, 0) as reduction,
    counts.n_weak,
    struct_pack(
        c1_cfr := printed.c1_cfr,
        c4_cfr := printed.c4_cfr,
        reduction := printed.reduction,
        n_weak := printed.n_weak
    ) as reference,
    'arXiv 2604.19809, Table 9' as cited
from counts
inner join macro.metacog_table_9() as printed on counts.policy = printed.policy
order by counts.setting, counts.temperature, counts.route, printed.place
