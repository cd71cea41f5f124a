-- grain: one row per family, quantity
-- What the papers state about their designs (`reference`, by `source`) and what this run has
-- (`estimate`), for the families in it.
select * from paper.{family}_design
qualify max(estimate) over () > 0
