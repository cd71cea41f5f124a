-- grain: one row per curve, metric, value
-- The effect of an axis: a metric at each of its values, with everything else equal. A `curve` is
-- one condition and model (and temperature, variant) over the values of one `axis`: temperature,
-- variant, or an axis of the label; `number` is the value as a number. Estimates and intervals are
-- those of the family's metrics. difference, its interval, p and p_holm: against the curve's first
-- value (`baseline`: the default, else the lowest) on the same scenes, from
-- contrast.pairs_settings; NULL at the first value.
with directions as (
    select distinct
        family, metric, direction
    from metric.scores
),

cells as (
    select
        estimates.*,
        directions.direction
    from metric.estimates as estimates
    inner join directions using (family, metric)
),

places as (
    select
        cells.*,
        'temperature' as axis,
        coalesce(printf('%g', temperature), 'default') as value,
        temperature as number,
        temperature is null as is_default,
        null::double as held_temperature,
        variant as held_label
    from cells
    union all by name
    select
        cells.*,
        settings.axis, settings.value, settings.number, settings.is_default,
        temperature as held_temperature,
        array_to_string(
            list_filter(
                string_split(variant, '+'),
                lambda part, i: if(axis = 'variant', i > 1, not starts_with(part, axis || '='))
            ),
            '+'
        ) as held_label
    from cells
    inner join metric.settings as settings using (family, variant)
),

curves as (
    select
        *,
        macro.held_name(
            family, axis, condition, model, held_temperature, held_label
        ) as curve,
        first_value(value) over (
            partition by family, axis, condition, model, held_temperature, held_label, metric
            order by not is_default, number, value
        ) as baseline
    from places
    qualify
        count(*) over (
            partition by family, axis, condition, model, held_temperature, held_label, metric
        ) > 1
)

select
    curves.curve, curves.family, curves.axis, curves.condition, curves.model,
    curves.held_temperature as temperature,
    curves.held_label as label,
    curves.metric, curves.direction, curves.baseline, curves.value, curves.number,
    curves.is_default, curves.n, curves.estimate, curves.se, curves.ci_low, curves.ci_high,
    curves.method, curves.n_replies, curves.n_read,
    tests.n as n_shared,
    tests.difference,
    tests.ci_low as difference_low,
    tests.ci_high as difference_high,
    tests.p,
    tests.p_holm
from curves
left join contrast.pairs_settings as tests
    on curves.curve = tests.question
    and curves.baseline = tests.baseline
    and curves.value = tests.value
    and curves.metric = tests.metric
