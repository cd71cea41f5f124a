-- grain: one value
-- macro: statement_words(statements)
-- Of each macro.statement the macro.statement_word.
select list_transform(statements, lambda one: one & 4294967295)
