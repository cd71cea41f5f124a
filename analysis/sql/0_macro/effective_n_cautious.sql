-- grain: one value
-- macro: effective_n_cautious(unit_sum, unit_n)
-- The number of independent trials that the share of a group of units is worth, where a unit has
-- `unit_n` trials and `unit_sum` successes. n* = p (1 - p) / v, with v the variance of the share
-- over units, is limited to the number of trials. Its excess over the number of units is multiplied
-- by k / (k + 5), with k the smaller of the numbers of units with any success and with any failure,
-- because few units determine v poorly. Units whose trials all agree count as one trial each, and
-- so do all units if all trials agree.
select case
    when count(*) filter (where unit_sum > 0) = 0 then count(*) filter (where unit_n > 0)
    when count(*) filter (where unit_sum < unit_n) = 0 then count(*) filter (where unit_n > 0)
    when count(*) filter (where unit_n > 0) = 1 then 1
    else least(macro.effective_n(unit_sum, unit_n), count(*) filter (where unit_n > 0))
        + greatest(macro.effective_n(unit_sum, unit_n) - count(*) filter (where unit_n > 0), 0)
        / (
            1
            + 5 / least(
                count(*) filter (where unit_sum > 0), count(*) filter (where unit_sum < unit_n)
            )
        )
end
