-- grain: one row per model, temperature, setting, information, task_set, route, policy, alpha
-- arXiv 2604.19809, Table 12: CFR if a share `alpha` of the missing answers was wrong; 0 and 1 give
-- its bounds. All paradigms are pooled.
-- replies: model; temperature; setting; information where experiment = 'exp9'
select
    {described},
    information, task_set, route, policy,
    unnest([0.0, 0.25, 0.5, 0.75, 1.0])::double as alpha,
    n_weak,
    n_missing,
    (n_wrong + alpha * n_missing) / n_weak as cfr
from agency.metacog_parts_missing
where paradigm = 'all'
order by
    setting, temperature, model, information, task_set, route, policy, alpha
