"""How many replies were read: counted, shown next to estimates, and what rests on few is marked."""

from collections.abc import Iterator

import duckdb
import pytest

from mirror_ray.analysis.report.across import headlines
from mirror_ray.analysis.report.cells import estimate
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.summary_cells import metric_cell, model_cell, replies_read

KEY = ("E1", 0.0, "paper", "lab/a")
ROW = {"temperature": 0.0, "variant": "paper", "model": "lab/a", "estimate": 0.25}


@pytest.fixture
def run() -> Iterator[duckdb.DuckDBPyConnection]:
    (view,) = (one for one in sql_files() if one.view == "metric.flipset_read")
    with duckdb.connect() as connection:
        connection.execute("create schema stage; create schema metric")
        connection.execute(
            "create table stage.flipset_episodes (episode_id varchar, condition varchar, "
            "temperature double, variant varchar, model varchar)"
        )
        connection.execute(
            "create table stage.flipset_steps (episode_id varchar, parse_status varchar, "
            "superseded boolean)"
        )
        connection.execute(view.definition())
        yield connection


def test_a_reply_counts_once_and_an_error_is_none(run: duckdb.DuckDBPyConnection) -> None:
    run.execute(
        "insert into stage.flipset_episodes select 'e' || i, 'MR', null, 'paper', 'lab/a' "
        "from range(4) as t(i)"
    )
    run.execute(
        "insert into stage.flipset_steps values ('e0', 'strict', false), ('e1', 'failed', false), "
        "('e2', 'failed', true), ('e2', 'cleaned', false), ('e3', null, false)"
    )
    assert run.execute("from metric.flipset_read").fetchall() == [
        ("MR", None, "paper", "lab/a", 3, 2, 2 / 3)
    ]


@pytest.mark.parametrize(("n_read", "said"), [(16, ".25"), (8, ".25"), (7, ".25 ?"), (0, "– ?")])
def test_the_console_marks_what_is_mostly_unread_and_shows_no_0_for_none(
    n_read: int, said: str
) -> None:
    row = ROW | {"n": 16, "n_failed": 0, "n_read": n_read, "n_replies": 16}
    row |= {"method": "wilson", "ci_low": None, "ci_high": None}
    assert metric_cell(row, is_wide=True).plain == said
    name = model_cell("lab/a", row, 20).plain
    assert (f"read {n_read} of 16" in name) == (n_read < 16)


@pytest.mark.parametrize(
    ("n_read", "text", "is_best", "letters"),
    [
        (16, ".25", True, "a"),
        (8, ".25", True, "a"),
        (7, ".25", False, "?"),
        (0, "none read", 0, ""),
    ],
)
def test_the_reports_table_has_no_best_that_was_hardly_read(
    n_read: int, text: str, *, is_best: bool, letters: str
) -> None:
    replies = {KEY: (n_read, 16), ("E2", *KEY[1:]): (16, 16)}
    column = estimate(
        "E1",
        is_any_read=lambda row: headlines._is_any_read(replies, "E1", row),
        mark=lambda row: headlines._mark({KEY: (True, "a")}, replies, "E1", row),
    )
    cell = column.show(ROW)
    assert (cell.text, cell.is_best, cell.letters) == (text, is_best, letters)
    assert headlines._read_of(replies, ROW).text == f"{n_read + 16} of 32"


def test_a_note_names_the_models_of_which_least_was_read_first() -> None:
    with duckdb.connect() as connection:
        connection.execute("create schema metric")
        connection.execute(
            "create table metric.flipset_read as from (values ('lab/a', 10, 10), ('lab/b', 10, 4), "
            "('lab/b', 10, 0)) as t(model, n_replies, n_read)"
        )
        assert replies_read(connection, "flipset") == "Replies read: b 4 of 20 ?, a 10 of 10."
        connection.execute("delete from metric.flipset_read")
        assert replies_read(connection, "flipset") == ""
