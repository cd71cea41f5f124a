-- grain: one value
-- macro: statement_words(statements)
-- The macro.statement_word of each macro.statement.
select list_transform(statements, lambda one: one & 4294967295)
