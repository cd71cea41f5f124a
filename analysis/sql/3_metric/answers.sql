-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person. NULL where
-- nothing could be right, or nothing was answered. Labels of options stand with their texts.
select * from metric.{family}_answers
