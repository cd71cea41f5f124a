-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people. NULL if nothing can be right,
-- or nothing was answered. Labels of options include their texts.
select * from metric.{family}_answers
