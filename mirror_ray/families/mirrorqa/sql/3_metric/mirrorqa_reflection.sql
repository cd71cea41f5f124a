-- grain: one row per family, model, temperature, variant
-- The same scenes seen directly and in the mirror, in pairs: the cost of the mirror. A scene counts
-- as its mean over repetitions. The mean difference has Student's t interval over scenes, cut at
-- the ends of its scale, and none if all differ alike. n_direct_only and n_reflected_only count the
-- scenes answered correctly more often in one picture; p is the exact sign test (McNemar's) of the
-- two.
with scenes as (
    select
        struct_pack(family, model, temperature, variant) as cell,
        condition,
        cluster,
        avg(accuracy) as accuracy
    from episode.mirrorqa
    where condition in ('sim', 'sim-reflected') and accuracy is not null
    group by all
),

twins as (
    select
        direct.cell,
        direct.accuracy as direct,
        reflected.accuracy as reflected
    from scenes as direct
    inner join scenes as reflected using (cell, cluster)
    where direct.condition = 'sim' and reflected.condition = 'sim-reflected'
),

totals as (
    select
        cell,
        count(*) as n,
        avg(direct) as direct,
        avg(reflected) as reflected,
        avg(reflected - direct) as difference,
        stddev_samp(reflected - direct) / sqrt(count(*)) as se,
        count(*) filter (where direct > reflected) as n_direct_only,
        count(*) filter (where reflected > direct) as n_reflected_only
    from twins
    group by cell
)

select
    cell.*,
    n,
    direct,
    reflected,
    difference,
    se,
    if(se > 0, greatest(difference - macro.t_95(n - 1) * se, -1), null) as ci_low,
    if(se > 0, least(difference + macro.t_95(n - 1) * se, 1), null) as ci_high,
    't' as method,
    n_direct_only::double as n_direct_only,
    n_reflected_only::double as n_reflected_only,
    macro.mcnemar_p(n_direct_only, n_reflected_only) as p
from totals
