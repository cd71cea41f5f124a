-- grain: one row per family, condition, model, temperature, variant, orientation
-- Accuracy by whose side it is ("MirrorQA": H.left, H.right, A.left, … A.right rear).
select
    family,
    condition,
    model,
    temperature,
    variant,
    orientation,
    count(accuracy) as n,
    avg(accuracy) as estimate,
    macro.wilson_low(sum(accuracy), count(accuracy)) as ci_low,
    macro.wilson_high(sum(accuracy), count(accuracy)) as ci_high,
    'wilson' as method,
    any_value(chance) as chance
from episode.mirrorqa
group by family, condition, model, temperature, variant, orientation
