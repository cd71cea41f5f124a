-- grain: one row per contrast, metric
-- table macro: compared(twins, stored_differences, settled, verdicts_settled)
-- Paired comparisons of units that two cells share, and their tests; see contrast.pairs.
with read as (
    select * replace (
        if(n_read = 0, null, baseline_score) as baseline_score,
        if(n_read = 0, null, score) as score,
        if(n_read = 0, null, difference) as difference
    )
    from query_table(twins)
),

sums as (
    select
        contrast,
        metric,
        any_value(columns([
            'question', 'family', 'axis', 'baseline', 'value', 'condition', 'model', 'temperature',
            'variant', 'direction', 'parameters', 'n_replies', 'n_read'
        ])),
        bool_and(kind = 'share' and score in (0, 1) and baseline_score in (0, 1)) as is_binary,
        count(*) as n,
        avg(baseline_score) as baseline_estimate,
        avg(score) as estimate,
        avg(difference) as difference,
        stddev_samp(difference) as sd,
        stddev_samp(baseline_score) as baseline_sd,
        stddev_samp(score) as value_sd,
        sum(baseline_score) as baseline_total,
        sum(score) as total,
        count(*) filter (where baseline_score = 1 and score = 1) as in_both,
        count(*) filter (where baseline_score = 1 and score = 0) as only_baseline,
        count(*) filter (where baseline_score = 0 and score = 1) as only_value,
        count(*) filter (where baseline_score = 0 and score = 0) as in_neither
    from read
    group by contrast, metric
),

-- Newcombe's correlation of the two answers, cautious if positive.
agreement as (
    select
        *,
        in_both * in_neither - only_baseline * only_value as excess,
        sqrt(
            (in_both + only_baseline)::double
            * (only_value + in_neither)
            * (in_both + only_value)
            * (only_baseline + in_neither)
        ) as scale
    from sums
),

ends as (
    select
        *,
        case
            when scale = 0 then 0
            when excess > 0 then greatest(excess - n / 2, 0) / scale
            else excess / scale
        end as phi,
        baseline_estimate - macro.wilson_low(baseline_total, n) as baseline_down,
        macro.wilson_high(baseline_total, n) - baseline_estimate as baseline_up,
        estimate - macro.wilson_low(total, n) as value_down,
        macro.wilson_high(total, n) - estimate as value_up
    from agreement
),

-- Numbers replace comparisons: half a million are sorted and joined without their texts.
tested as materialized (
    select
        ends.*,
        row_number() over () as test,
        if(
            is_binary,
            ends.difference
            - sqrt(value_down ** 2 - 2 * phi * value_down * baseline_up + baseline_up ** 2),
            stored.ci_low
        ) as ci_low,
        if(
            is_binary,
            ends.difference
            + sqrt(value_up ** 2 - 2 * phi * value_up * baseline_down + baseline_down ** 2),
            stored.ci_high
        ) as ci_high,
        if(is_binary, macro.mcnemar_p(only_baseline, only_value), stored.p) as p
    from ends
    left join query_table(stored_differences) as stored
        on
            ends.contrast = stored.contrast
            and ends.metric = stored.metric
            and ends.parameters = stored.parameters
            and ends.n = stored.n
            and abs(ends.difference - stored.difference) < 1e-9
),

ranked as (
    select
        test, question, metric, p,
        count(p) over (partition by question, metric) as n_tests,
        row_number() over (partition by question, metric order by p nulls last, contrast) as rank
    from tested
),

adjusted as (
    select
        test,
        n_tests,
        least(
            1.0,
            max(p * (n_tests - rank + 1)) over (
                partition by question, metric
                order by rank
                rows between unbounded preceding and current row
            )
        ) as running
    from ranked
),

stopped as (
    select test
    from tested
    where exists (
        select 1
        from query_table(settled) as cells
        where
            cells.stopped_early
            and cells.family = tested.family
            and cells.condition = coalesce(tested.condition, cells.condition)
            and cells.model = coalesce(tested.model, cells.model)
            and cells.variant = coalesce(tested.variant, cells.variant)
            and coalesce(cells.temperature = tested.temperature, true)
            and (tested.axis <> 'model' or cells.model in (tested.baseline, tested.value))
            and (
                tested.axis <> 'condition'
                or cells.condition in (tested.baseline, tested.value)
            )
    )
),

foretold as (
    select
        tested.test,
        any_value(verdicts.verdict <> 'not told apart') as told_apart,
        any_value(verdicts.probability) as probability,
        any_value(verdicts.n_planned) as n_planned
    from tested
    inner join query_table(verdicts_settled) as verdicts
        on
            tested.axis = 'model'
            and tested.family = verdicts.family
            and tested.condition = verdicts.condition
            and tested.temperature is not distinct from verdicts.temperature
            and tested.variant = verdicts.variant
            and tested.metric = verdicts.metric
            and tested.baseline = least(verdicts.model, verdicts.against)
            and tested.value = greatest(verdicts.model, verdicts.against)
    group by tested.test
)

select
    tested.contrast, question, family, axis, baseline, value, condition, model, temperature,
    variant, tested.metric, direction, n, n_replies, n_read, baseline_estimate, estimate,
    difference,
    sd / sqrt(n) as se,
    ci_low,
    ci_high,
    if(is_binary, 'newcombe', 'bca') as method,
    if(stopped.test is null, p, null) as p,
    if(is_binary, 'mcnemar', 'sign flip') as test,
    n_tests,
    if(p is null or stopped.test is not null, null, running) as p_holm,
    coalesce(
        foretold.told_apart,
        if(p is null or stopped.test is not null, null, running < 0.05)
    ) as told_apart,
    foretold.probability,
    foretold.n_planned,
    if(is_binary, only_baseline, null) as only_baseline,
    if(is_binary, only_value, null) as only_value,
    if(is_binary, only_value / nullif(only_baseline, 0), null) as odds_ratio,
    if(is_binary, only_value / nullif(only_baseline + only_value, 0) - 0.5, null) as cohens_g,
    if(is_binary, null, difference / nullif(sd, 0)) as cohens_dz,
    if(
        is_binary, null, difference
        / nullif(sqrt((baseline_sd ** 2 + value_sd ** 2) / 2), 0)
        * (1 - 3 / (8 * n - 9))
    ) as hedges_g_av
from tested
inner join adjusted on tested.test = adjusted.test
left join stopped on tested.test = stopped.test
left join foretold on tested.test = foretold.test
