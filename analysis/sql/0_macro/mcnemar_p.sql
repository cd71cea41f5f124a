-- grain: one value
-- macro: mcnemar_p(b, c)
-- McNemar's exact test: the two-sided p of b against c discordant pairs under Binomial(b + c, 1/2).
-- Without discordant pairs it is 1.
select least(1.0, 2 * list_sum(list_transform(
    range(least(b, c)::bigint + 1),
    lambda i: exp(
        lgamma(b + c + 1) - lgamma(i + 1) - lgamma(b + c - i + 1) - (b + c) * ln(2)
    )
)))
