-- grain: one value
-- macro: is_correct(verdict)
-- A judge's verdict on an answer; NULL without an answer or a verdict.
select case verdict when 'CORRECT' then true when 'INCORRECT' then false end
