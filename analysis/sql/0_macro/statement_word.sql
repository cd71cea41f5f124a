-- grain: one value
-- macro: statement_word(word)
-- The lower part of a word's macro.statement: 32 bits of its hash.
select hash(word) & 4294967295
