-- grain: one value
-- macro: f1(precision_share, recall_share)
-- Harmonic mean of the two; null if either is null, 0 if both are 0.
select case
    when precision_share + recall_share = 0 then 0
    else 2 * precision_share * recall_share / (precision_share + recall_share)
end
