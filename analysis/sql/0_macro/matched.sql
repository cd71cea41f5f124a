-- grain: one value
-- macro: matched(strictly, leniently)
-- Whether an answer is right, as metrics count it: set variable matching = 'lenient' counts what
-- the authors' leniency takes for right; 'judge' what judges said, which by then stands in
-- `strictly` (stage.metacog_steps_judged). Another value stops the query.
select case coalesce(getvariable('matching'), 'strict')
    when 'strict' then strictly
    when 'lenient' then leniently
    when 'judge' then strictly
    else error('matching is strict, lenient or judge')
end
