-- grain: one value
-- macro: takes_the_judges(has_any)
-- Whether the judges' readings of requests count: if `matching` says so, or by default if a run has
-- any.
select coalesce(getvariable('matching') = 'judge', has_any)
