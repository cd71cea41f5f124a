-- grain: one value
-- macro: matched(by_grammar, as_published)
-- Whether an answer is right, as metrics count it: set variable matching = 'published' counts what
-- the authors' leniency takes for right; 'judge' what judges said, which `by_grammar` has by then
-- (stage.metacog_steps_judged). Another value stops the query.
select case coalesce(getvariable('matching'), 'grammar')
    when 'grammar' then by_grammar
    when 'judge' then by_grammar
    when 'published' then as_published
    else error('matching is grammar, judge or published')
end
