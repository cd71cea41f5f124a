-- grain: one value
-- macro: chi2_above(x, df)
-- Probability that a chi-squared variable with df degrees of freedom is above x: 1 less the
-- regularised lower incomplete gamma function, by its power series (Abramowitz & Stegun 6.5.29).
select case
    when x <= 0 then 1.0
    when x / 2 > 500 then 0.0
    else greatest(0.0, 1 - list_sum(list_transform(
        range(1500),
        lambda k: exp((df / 2 + k) * ln(x / 2) - x / 2 - lgamma(df / 2 + k + 1))
    )))
end
