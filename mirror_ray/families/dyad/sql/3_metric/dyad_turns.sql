-- grain: one row per condition, temperature, setting, model, moves_first
-- Whether the first turn matters: the share of players that chose their own colour, and of those
-- that took the other for themselves (NULL if both have one colour), as in `metric.dyad_pairs`,
-- over all partners of a model.
-- replies: condition; temperature; setting = regexp_replace(variant, '\+partner=[^+]*', ''); model
with units as (
    select
        struct_pack(
            condition,
            temperature,
            setting := regexp_replace(variant, '\+partner=[^+]*', ''),
            model,
            moves_first
        ) as cell,
        scene_seed || '.' || run as cluster,
        count(choice) as unit_n,
        count(*) filter (where choice = 'own')::double as own_sum,
        count(*) filter (where choice = 'other')::double as other_sum,
        bool_or(is_alike) as is_alike
    from stage.dyad_trajectories
    where beside not in ('still', 'wandering')
    group by cell, cluster
),

totals as (
    select
        cell,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_sides,
        sum(own_sum) / nullif(sum(unit_n), 0) as correct,
        macro.effective_n_cautious(own_sum, unit_n) as n_correct,
        if(bool_or(is_alike), null, sum(other_sum) / nullif(sum(unit_n), 0)) as took_other,
        macro.effective_n_cautious(other_sum, unit_n) as n_took_other
    from units
    group by cell
)

select
    cell.*,
    n, n_sides, correct,
    macro.wilson_low(correct * n_correct, n_correct) as correct_ci_low,
    macro.wilson_high(correct * n_correct, n_correct) as correct_ci_high,
    took_other,
    macro.wilson_low(took_other * n_took_other, n_took_other) as took_other_ci_low,
    macro.wilson_high(took_other * n_took_other, n_took_other) as took_other_ci_high
from totals
