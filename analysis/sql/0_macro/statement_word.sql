-- grain: one value
-- macro: statement_word(word)
-- A word as the macro.statements of it end: 32 bits of its hash.
select hash(word) & 4294967295
