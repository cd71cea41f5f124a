"""Published numbers in CSV files, as the macros that they become."""

import duckdb
import pytest

from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import printed_table


def test_a_csv_file_becomes_a_table_macro_with_its_types() -> None:
    text = printed_table("t", "model,place,share,note\na,1,0.5,it's\na,2,1.0,\n")
    assert text.startswith("-- grain: one row per model, place\n-- table macro: t()\n")
    with duckdb.connect() as connection:
        connection.execute("create schema macro")
        connection.execute(SqlFile("t.csv", "macro", "t", text).definition())
        found = connection.execute("from macro.t()")
        assert [str(column[1]) for column in found.description] == [
            *("VARCHAR", "INTEGER", "DOUBLE", "VARCHAR")
        ]
        assert found.fetchall() == [("a", 1, 0.5, "it's"), ("a", 2, 1.0, None)]


def test_a_row_with_another_number_of_fields_is_rejected() -> None:
    with pytest.raises(ValueError, match="every row has the fields model, share"):
        printed_table("t", "model,share\na\n")
