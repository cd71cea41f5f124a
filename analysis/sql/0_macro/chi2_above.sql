-- grain: one value
-- macro: chi2_above(x, df)
-- Probability that a chi-squared variable with df degrees of freedom is above x: the regularised
-- upper incomplete gamma function. Near the middle, 1 minus the lower one's power series
-- (Abramowitz & Stegun 6.5.29); in the upper tail the continued fraction (6.5.31), where
-- subtracting from 1 would lose small values.
select case
    when x <= 0 then 1.0
    when x < df + 2 then 1 - list_sum(list_transform(
        range(500 + df::bigint),
        lambda k: exp((df / 2 + k) * ln(x / 2) - x / 2 - lgamma(df / 2 + k + 1))
    ))
    else exp(df / 2 * ln(x / 2) - x / 2 - lgamma(df / 2)) / list_reduce(
        list_transform(range(1000, -1, -1), lambda i: i::double),
        lambda below, i: x / 2 + 2 * i + 1 - df / 2 - (i + 1) * (i + 1 - df / 2) / below,
        x / 2 + 2003 - df / 2
    )
end
