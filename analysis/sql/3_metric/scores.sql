-- grain: one row per episode_id, metric
-- Every family's scores in one long table: what paired comparisons are made of. `kind` is share (0
-- or 1) or count; `direction` is 1 where more is better, -1 where less is, NULL where neither.
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    episode_id,
    parameters,
    metric,
    if(metric in ('ttd', 'mgd'), 'count', 'share') as kind,
    case
        when metric in ('ttd', 'cr', 'arsc') then -1
        when metric <> 'mgd' then 1
    end as direction,
    score::double as score
from episode.selfid
unpivot include nulls (
    score for metric in (tsa, ttd, mcr, mtato, caal, cr, tsa_c, mgd, arsc, sc, sc_final)
)
