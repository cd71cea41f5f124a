-- grain: one value
-- macro: t_95(df)
-- Two-sided 95 % quantile of Student's t, for whole degrees of freedom df from 1 on. Up to 100:
-- Newton's method on theta = arctan(t / sqrt(df)). P(|T| < t) is a finite sum in theta (Abramowitz
-- & Stegun 26.7.3-4) and concave, so the method climbs from the normal quantile to the root without
-- overshooting. Beyond: the expansion in 1 / df (26.7.5), exact to 1e-10 there.
select case
    when df between 1 and 100 then sqrt(df) * tan(list_reduce(
        range(8),
        lambda theta, turn: theta + (
            0.95
            - (df % 2) * 2 / pi() * theta
            - sin(theta) * coalesce(list_sum(list_transform(
                range((df % 2)::bigint, df::bigint, 2),
                lambda i:
                    exp(lgamma((i + 1) / 2) - lgamma(i / 2 + 1)) / sqrt(pi()) * cos(theta) ** i
            )), 0)
        ) / (2 * exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(pi()) * cos(theta) ** (df - 1)),
        atan(1.959963984540054 / sqrt(df))
    ))
    when df > 100 then 1.959963984540054
        + 2.3722712302985616 / df
        + 2.8224986157396112 / df ** 2
        + 2.555849679507722 / df ** 3
        + 1.5895340533938225 / df ** 4
end
