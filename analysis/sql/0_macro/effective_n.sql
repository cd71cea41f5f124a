-- grain: one value
-- macro: effective_n(unit_sum, unit_n)
-- p (1 - p) over the variance of the share p over units (linearised: a ratio of sums), limited to
-- the number of trials, which is also its value without any spread (Kish 1965).
select least(
    sum(unit_n),
    sum(unit_sum) * (sum(unit_n) - sum(unit_sum)) / nullif(greatest(
        sum(unit_sum * unit_sum)
        - 2 * sum(unit_sum) / sum(unit_n) * sum(unit_sum * unit_n)
        + (sum(unit_sum) / sum(unit_n)) ** 2 * sum(unit_n * unit_n),
        0
    ), 0)
)
