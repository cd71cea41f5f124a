-- grain: one row per family, quantity
-- What the papers state of their designs (`reference`, by `source`) beside what this run holds
-- (`estimate`), of the families that it holds.
select * from paper.{family}_design
qualify max(estimate) over () > 0
