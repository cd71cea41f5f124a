-- grain: one value
-- macro: agreed_verdict(verdicts)
-- The verdict of all judges of a reply; NULL if they differ, if one gave no verdict (''), or
-- without any judge.
select
    if(len(verdicts) > 0 and len(list_distinct(verdicts)) = 1, nullif(verdicts[1], ''), null)
