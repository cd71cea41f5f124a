-- grain: one row per condition, temperature, setting, model, beside, choice
-- The cross table: whom a model takes for itself, by its partner. Both players of an episode count,
-- each in a row of its model: `choice` is own, other, neither or none, `estimate` its share of the
-- `n_sides` players, with Wilson's interval on the effective number of the `n` scenes, because the
-- players of a room, and the rooms of a scene, are not independent. NULL for other if both bodies
-- have one colour, where it equals own. `beside` is the partner: a model, or still or wandering.
-- `setting` is the variant without the partner.
-- replies: condition; temperature; setting = regexp_replace(variant, '\+partner=[^+]*', ''); model
with sides as (
    select
        condition,
        temperature,
        regexp_replace(variant, '\+partner=[^+]*', '') as setting,
        model,
        beside,
        scene_seed || '.' || run as cluster,
        failed,
        is_alike,
        choice as chose,
        unnest(['own', 'other', 'neither', 'none']) as choice
    from stage.dyad_trajectories
),

units as (
    select
        struct_pack(condition, temperature, setting, model, beside, choice) as cell,
        cluster,
        count(chose) as unit_n,
        count(*) filter (where chose = choice)::double as unit_sum,
        count(*) filter (where failed) as n_failed,
        bool_or(is_alike) as is_alike
    from sides
    group by cell, cluster
),

totals as (
    select
        cell,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_sides,
        sum(n_failed)::bigint as n_failed,
        if(
            cell.choice = 'other' and bool_or(is_alike),
            null,
            sum(unit_sum) / nullif(sum(unit_n), 0)
        ) as estimate,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by cell
)

select
    cell.*,
    n, n_sides, estimate,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high,
    if(
        cell.choice = 'own' or (cell.choice = 'other' and estimate is not null), 1 / 3.0, null
    ) as chance,
    n_failed
from totals
