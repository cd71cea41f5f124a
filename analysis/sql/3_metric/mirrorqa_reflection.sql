-- grain: one row per family, model, temperature, variant
-- The same scenes seen directly and in the mirror, in pairs: what the mirror costs. The interval of
-- the mean difference is Student's t over scenes, none where all differ alike; n_direct_only and
-- n_reflected_only count those that one picture alone was answered right, p is McNemar's exact test
-- of the two.
with twins as (
    select
        direct.family,
        direct.model,
        direct.temperature,
        direct.variant,
        direct.accuracy as direct,
        reflected.accuracy as reflected
    from episode.mirrorqa as direct
    inner join episode.mirrorqa as reflected
        on
            direct.family = reflected.family
            and direct.model = reflected.model
            and direct.temperature is not distinct from reflected.temperature
            and direct.variant = reflected.variant
            and direct.scene_seed = reflected.scene_seed
            and direct.run = reflected.run
    where
        direct.condition = 'sim'
        and reflected.condition = 'sim-reflected'
        and direct.accuracy is not null
        and reflected.accuracy is not null
),

totals as (
    select
        family,
        model,
        temperature,
        variant,
        count(*) as n,
        avg(direct) as direct,
        avg(reflected) as reflected,
        avg(reflected - direct) as difference,
        stddev_samp(reflected - direct) / sqrt(count(*)) as se,
        count(*) filter (where direct > reflected) as n_direct_only,
        count(*) filter (where reflected > direct) as n_reflected_only
    from twins
    group by family, model, temperature, variant
)

select
    family,
    model,
    temperature,
    variant,
    n,
    direct,
    reflected,
    difference,
    se,
    difference - macro.t_95(n - 1) * nullif(se, 0) as ci_low,
    difference + macro.t_95(n - 1) * nullif(se, 0) as ci_high,
    't' as method,
    n_direct_only,
    n_reflected_only,
    macro.mcnemar_p(n_direct_only, n_reflected_only) as p
from totals
