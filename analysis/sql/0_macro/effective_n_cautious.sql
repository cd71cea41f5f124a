-- grain: one value
-- macro: effective_n_cautious(unit_sum, unit_n)
-- Of a group of units: how many independent trials its share is worth, where a unit has `unit_n`
-- trials and `unit_sum` successes. n* = p (1 - p) / v, v the variance of the share over units, is
-- at most the number of trials. What it has above the number of units is taken times k / (k + 5), k
-- the lesser number of units with any success and with any failure: of few, v is hardly known.
-- Units whose trials all agree are worth one trial each, as is any where all trials agree.
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
