-- grain: one value
-- macro: statement(step, word)
-- A statement as one number, so that lists are compact and sort by step: the step in the upper
-- bits, 32 bits of the word's hash in the lower.
select (greatest(step, 0)::ubigint << 32) | (hash(word) & 4294967295)
