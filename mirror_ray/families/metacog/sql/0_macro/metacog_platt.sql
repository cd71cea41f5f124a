-- grain: one row per subject, parity
-- table macro: metacog_platt(counts, ridge)
-- A logistic fit of being right to `x`, for each half of a subject's questions: Platt's targets, 25
-- steps of Newton's method. `counts`: at each `x`, `n` answers of which `n_wrong` are wrong. The
-- ridge keeps the slope at 0 if all `x` are equal.
with recursive targets as (
    select
        subject,
        parity,
        x,
        n,
        (n - n_wrong) * (sum(n - n_wrong) over half + 1) / (sum(n - n_wrong) over half + 2)
        + n_wrong / (sum(n_wrong) over half + 2) as n_right
    from query_table(counts)
    window half as (partition by subject, parity)
),

newton as (
    select distinct
        subject,
        parity,
        0 as turn,
        0::double as base,
        0::double as slope
    from targets

    union all

    select
        subject,
        parity,
        turn + 1 as turn,
        base + (curve_slope * pull - curve_both * pull_slope) / bend as base,
        slope + (curve * pull_slope - curve_both * pull) / bend as slope
    from (
        select
            *,
            curve * curve_slope - curve_both ** 2 as bend
        from (
            select
                subject,
                parity,
                turn,
                base,
                slope,
                sum(n_right - n * chance) as pull,
                sum((n_right - n * chance) * x) - ridge * slope as pull_slope,
                sum(n * chance * (1 - chance)) as curve,
                sum(n * chance * (1 - chance) * x) as curve_both,
                sum(n * chance * (1 - chance) * x ** 2) + ridge as curve_slope
            from (
                select
                    newton.*,
                    targets.* exclude (subject, parity),
                    1 / (1 + exp(-base - slope * x)) as chance
                from newton
                inner join targets using (subject, parity)
                where turn < 25
            )
            group by subject, parity, turn, base, slope
        )
    )
)

select
    subject,
    parity,
    base,
    slope
from newton
where turn = 25
