-- grain: one value
-- macro: clustered_se(unit_sum, unit_n)
-- Linearised standard error over units of the mean sum(unit_sum) / sum(unit_n); with one score per
-- unit the usual one. NULL with fewer than two units.
select case
    when count(*) filter (where unit_n > 0) > 1 then sqrt(
        greatest(
            sum(unit_sum * unit_sum)
            - 2 * sum(unit_sum) / sum(unit_n) * sum(unit_sum * unit_n)
            + (sum(unit_sum) / sum(unit_n)) ** 2 * sum(unit_n * unit_n),
            0
        )
        * count(*) filter (where unit_n > 0) / (count(*) filter (where unit_n > 0) - 1)
    ) / sum(unit_n)
end
