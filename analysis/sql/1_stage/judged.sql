-- grain: one row per judge_id
-- What models read in replies as judges, of the families that have such readings.
select * from stage.{family}_judged
