-- grain: one value
-- macro: matched(by_grammar, as_published)
-- Whether an answer is right, as metrics count it. set variable matching = 'published' applies the
-- authors' leniency; 'judge' uses the judges' verdicts, which `by_grammar` then has
-- (stage.metacog_steps_judged). Any other value stops the query.
select case coalesce(getvariable('matching'), 'grammar')
    when 'grammar' then by_grammar
    when 'judge' then by_grammar
    when 'published' then as_published
    else error('matching is grammar, judge or published')
end
