-- grain: one value
-- macro: t_two_sided(t, df)
-- Two-sided p of Student's t for a whole number df of degrees of freedom from 1 on: 1 less the
-- finite sum of P(|T| < t) in theta = arctan(t / sqrt(df)) (Abramowitz & Stegun 26.7.3-4).
select case when df >= 1 and t is not null then greatest(0.0, 1 - (
    (df % 2) * 2 / pi() * atan(abs(t) / sqrt(df))
    + sin(atan(abs(t) / sqrt(df))) * coalesce(list_sum(list_transform(
        range((df % 2)::bigint, df::bigint, 2),
        lambda i:
            exp(lgamma((i + 1) / 2) - lgamma(i / 2 + 1)) / sqrt(pi())
            * cos(atan(abs(t) / sqrt(df))) ** i
    )), 0)
)) end
