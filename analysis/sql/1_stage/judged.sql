-- grain: one row per judge_id
-- Readings of replies by models as judges, for families with such readings.
select * from stage.{family}_judged
