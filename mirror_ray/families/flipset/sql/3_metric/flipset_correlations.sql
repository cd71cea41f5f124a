-- grain: one row per family, temperature, variant, condition, control
-- Whether models that pass a control are better at L2, and those that pass ToM are better at MR:
-- Pearson's r of a condition's accuracy with a control's over models, its two-sided p by Student's
-- t, Fisher's interval. NULL if models do not differ or are fewer than three; no interval for fewer
-- than four. L1 has neither orders of options nor generated strings: it is the control of all of
-- them.
-- replies: temperature; variant
with accuracies as (
    select
        {cell},
        estimate
    from metric.flipset
    where metric = 'accuracy' and n > 0
),

pairs as (
    select
        one.family, one.temperature, one.variant, one.condition,
        control.condition as control,
        count(*) as n,
        if(
            count(*) >= 3
            and stddev_samp(one.estimate) > 1e-12
            and stddev_samp(control.estimate) > 1e-12,
            corr(one.estimate, control.estimate),
            null
        ) as r
    from accuracies as one
    inner join accuracies as control
        on
            one.family = control.family
            and one.model = control.model
            and one.temperature is not distinct from control.temperature
            and control.variant = if(
                control.condition = 'L1',
                regexp_replace(one.variant, '[+](layouts|strings)=[^+]*', '', 'g'),
                one.variant
            )
    where
        (one.condition = 'L2' and control.condition <> 'L2')
        or (one.condition = 'ToM' and control.condition = 'MR')
    group by all
)

select
    family, temperature, variant, condition, control,
    'pearson_r' as metric,
    n,
    r as estimate,
    case
        when abs(r) > 1 - 1e-12 then 0.0
        else macro.t_two_sided(r * sqrt((n - 2) / (1 - r * r)), n - 2)
    end as p,
    if(n > 3 and abs(r) < 1 - 1e-12, tanh(atanh(r) - 1.959963984540054 / sqrt(n - 3)), null)
        as ci_low,
    if(n > 3 and abs(r) < 1 - 1e-12, tanh(atanh(r) + 1.959963984540054 / sqrt(n - 3)), null)
        as ci_high,
    'pearson' as method
from pairs
