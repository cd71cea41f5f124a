-- grain: one value
-- macro: f1(precision_share, recall_share)
-- The harmonic mean of the two; null where either is, 0 where both are 0.
select case
    when precision_share + recall_share = 0 then 0
    else 2 * precision_share * recall_share / (precision_share + recall_share)
end
