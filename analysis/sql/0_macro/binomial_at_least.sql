-- grain: one value
-- macro: binomial_at_least(k, n, p)
-- Exact probability of k or more successes in n trials of probability p, strictly between 0 and 1:
-- the one-sided p of being right more often than by chance. For k or fewer, use 1 minus the value
-- of k + 1.
select case
    when k <= 0 then 1.0
    when k <= n then least(1.0, list_sum(list_transform(
        range(k::bigint, n::bigint + 1),
        lambda i: exp(
            lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * ln(p) + (n - i) * ln(1 - p)
        )
    )))
    when k > n then 0.0
end
