-- grain: one value
-- macro: statement(step, word)
-- A statement as one number, so that lists of them are short and sort by their steps: the step
-- above, 32 bits of the word's hash below.
select (greatest(step, 0)::ubigint << 32) | (hash(word) & 4294967295)
