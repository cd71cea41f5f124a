"""Values and names in SQL text, which figures and tables show as it was run.

A string from a run directory is never executed as SQL: one that cannot be bound is quoted here."""


def literal(text: str) -> str:
    """Return the text as a SQL string."""
    return "'" + text.replace("'", "''") + "'"


def sql_number(value: float | None) -> str:
    """Return a number as SQL, including NaN and infinities."""
    return "null" if value is None else f"{literal(repr(value))}::double"


def identifier(name: str) -> str:
    """Quote the name of a view or a column, which may have any characters."""
    return '"' + name.replace('"', '""') + '"'
