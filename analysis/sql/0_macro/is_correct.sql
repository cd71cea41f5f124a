-- grain: one value
-- macro: is_correct(verdict)
-- A judge's verdict on an answer; NULL where there is no answer, or no verdict.
select case verdict when 'CORRECT' then true when 'INCORRECT' then false end
