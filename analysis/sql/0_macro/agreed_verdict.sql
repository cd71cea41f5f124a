-- grain: one value
-- macro: agreed_verdict(verdicts)
-- What all judges of a reply say; NULL where they differ, where one said nothing of the kind (''),
-- and without any.
select
    if(len(verdicts) > 0 and len(list_distinct(verdicts)) = 1, nullif(verdicts[1], ''), null)
