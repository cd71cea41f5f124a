-- grain: one value
-- macro: t_two_sided(t, df)
-- Two-sided p of Student's t for whole degrees of freedom df from 1 on. Up to √3: 1 minus the
-- finite sum of P(|T| < t) in theta = arctan(t / sqrt(df)) (Abramowitz & Stegun 26.7.3-4). Above:
-- the incomplete beta function I(df / 2, 1 / 2) at x = df / (df + t²) by its continued fraction
-- (26.5.8), because subtracting from 1 would lose small values.
select case
    when df < 1 or t is null then null
    when abs(t) <= sqrt(3) then 1 - (
        (df % 2) * 2 / pi() * atan(abs(t) / sqrt(df))
        + sin(atan(abs(t) / sqrt(df))) * coalesce(list_sum(list_transform(
            range((df % 2)::bigint, df::bigint, 2),
            lambda i:
                exp(lgamma((i + 1) / 2) - lgamma(i / 2 + 1)) / sqrt(pi())
                * cos(atan(abs(t) / sqrt(df))) ** i
        )), 0)
    )
    else exp(
        lgamma((df + 1) / 2) - lgamma(df / 2) - ln(pi()) / 2
        + df / 2 * (ln(df) - ln(df + t * t)) + ln(t * t / (df + t * t)) / 2
    ) / (df / 2) / list_reduce(
        list_transform(range(600, 0, -1), lambda m: m::double),
        lambda below, m: 1 - (df / 2 + m - 1) * (df / 2 + m - 0.5) * (df / (df + t * t))
            / ((df / 2 + 2 * m - 2) * (df / 2 + 2 * m - 1))
            / (
                1 + m * (0.5 - m) * (df / (df + t * t))
                / ((df / 2 + 2 * m - 1) * (df / 2 + 2 * m)) / below
            ),
        1.0
    )
end
