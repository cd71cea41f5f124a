-- grain: one value
-- macro: takes_the_judges(has_any)
-- Whether how a request was taken is the judges' reading: where `matching` says so, and without it
-- wherever a run has any.
select coalesce(getvariable('matching') = 'judge', has_any)
