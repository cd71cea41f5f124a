"""How many replies were read: counted, shown next to estimates, and what rests on few is marked."""

from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest

from mirror_ray.analysis.report.across import headlines
from mirror_ray.analysis.report.cells import estimate_column, words
from mirror_ray.analysis.report.latex import latex_table
from mirror_ray.analysis.report.markdown import markdown_table
from mirror_ray.analysis.report.replies import Replies, drawn_rows, read_column, with_replies
from mirror_ray.analysis.report.section import Figure, ReportTable, Section
from mirror_ray.analysis.report.shown import table_text
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.summary_cells import metric_cell, model_cell
from mirror_ray.contract.metrics import METRICS

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
        ("MR", None, "paper", "lab/a", 3, 2)
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
    rows = [(KEY, n_read), (("E2", *KEY[1:]), 16)]
    names = ("condition", "temperature", "variant", "model")
    replies = Replies(
        [dict(zip(names, key, strict=True)) | {"n_read": n, "n_replies": 16} for key, n in rows]
    )
    column = estimate_column(
        "E1",
        is_any_read=lambda row: headlines._is_any_read(replies, "E1", row),
        mark=lambda row: headlines._mark({KEY: (True, "a")}, replies, "E1", row),
    )
    cell = column.show(ROW)
    assert (cell.text, cell.is_best, cell.letters) == (text, is_best, letters)
    read = read_column(lambda row: replies.counts(names[1:], row)).show(ROW)
    assert read.text == f"{n_read + 16} of 32"
    assert replies.sentence == f"{n_read + 16} of 32 replies were read.".replace("32 of", "All")
    assert bool(replies.on_marks) == (letters != "a")


def test_every_part_of_a_section_says_how_much_was_read() -> None:
    data = pa.table(
        {"model": ["lab/a", "lab/b", "lab/c"], "estimate": [0.25, 0.5, 0.0], "n": [4] * 3}
    )
    table = ReportTable(
        "t", "T", "Text.", "", data, (words("model", "model"), estimate_column("x"))
    )
    section = Section("s", "S", "", (Figure("f", "F", "", "", {}), table))
    n_read = {"lab/a": 4, "lab/b": 1, "lab/c": 0}
    rows = [{"model": model, "n_read": n, "n_replies": 4} for model, n in n_read.items()]
    figure, counted = with_replies(section, Replies(rows)).parts
    assert isinstance(figure, Figure)
    assert isinstance(counted, ReportTable)
    assert figure.replies == "5 of 12 replies were read."
    seen = table_text(counted)
    assert [column.heading for column in seen.columns] == ["model", "n", "read", "x"]
    ((_, lines),) = seen.groups
    assert [(line[2].text, line[3].text, line[3].letters) for line in lines] == [
        ("4 of 4", ".25", ""),
        ("1 of 4", ".50", "?"),
        ("0 of 4", "none read", ""),
    ]
    for text in (latex_table(counted, seen), markdown_table(counted, seen)):
        assert "5 of 12 replies were read" in text
    all_read = with_replies(section, Replies([rows[0]])).parts[1]
    assert isinstance(all_read, ReportTable)
    assert (all_read.replies, all_read.columns) == ("All 4 replies were read.", table.columns)
    assert all_read.data.column("n_read").to_pylist() == [4, 0, 0]


BOUNDED = [
    # condition, episode, parse status of its only reply, score
    *(("E1", f"a{i}", "strict", score) for i, score in enumerate((1, 1, 0))),
    *(("E1", f"b{i}", "failed", score) for i, score in enumerate((0, None))),
    ("E2", "c0", "failed", None),
]


def test_bounds_are_what_unread_replies_could_make_of_an_estimate() -> None:
    macro, view = (
        one
        for name in ("macro.unless_unread", "metric.flipset_bounds")
        for one in sql_files()
        if one.view == name
    )
    names = [one.name for one in METRICS["flipset"].scores]
    with duckdb.connect() as connection:
        for schema in ("stage", "metric", "episode", "macro"):
            connection.execute(f"create schema {schema}")
        connection.execute(macro.definition())
        connection.execute(
            "create table stage.flipset_steps (episode_id varchar, parse_status varchar, "
            "superseded boolean)"
        )
        connection.execute(
            "create table episode.flipset (family varchar, condition varchar, model varchar, "
            "temperature double, variant varchar, episode_id varchar, failed boolean, "
            f"{', '.join(f'{name} integer' for name in names)})"
        )
        for condition, episode, status, score in BOUNDED:
            nulls = ", ".join(f"null as {name}" for name in names if name != "accuracy")
            connection.execute(
                "insert into episode.flipset by name select 'flipset' as family, $1 as condition, "
                f"'m' as model, 'paper' as variant, $2 as episode_id, false as failed, "
                f"$3 as accuracy, {nulls}",
                [condition, episode, score],
            )
            connection.execute(
                "insert into stage.flipset_steps values ($1, $2, false)", [episode, status]
            )
        connection.execute(
            "insert into episode.flipset by name select * replace ('z' as episode_id, "
            "true as failed) from episode.flipset limit 1"
        )
        connection.execute(
            "create table metric.flipset_read as select 'E1' as condition, 'm' as model, "
            "'paper' as variant, null::double as temperature, 5 as n_replies, 3 as n_read"
        )
        connection.execute(view.definition())
        found = connection.execute(
            "select condition, metric, n_episodes, n_unread, estimate, low_if_unread, "
            "high_if_unread, n_replies, n_read from metric.flipset_bounds order by condition"
        ).fetchall()
    # Two of three that were read are right, as is 2 of 4 that have a score; of five episodes two
    # are unread. Of E2 nothing was read; no other metric is defined.
    assert found == [
        ("E1", "accuracy", 5, 2, 0.5, 2 / 5, 4 / 5, 5, 3),
        ("E2", "accuracy", 1, 1, None, 0.0, 1.0, None, None),
    ]


def test_a_figure_leaves_out_what_was_not_read_and_marks_what_is_mostly_unread() -> None:
    names, read = ("lab/a", "lab/b", "lab/c"), (16, 7, 0)
    keys = {"condition": "E1", "temperature": 0.0, "variant": "paper"}
    counts = [
        {**keys, "model": model, "n_read": n, "n_replies": 16}
        for model, n in zip(names, read, strict=True)
    ]
    rows = [{"condition": "E1", "model": model, "share": 1.0} for model in names]
    drawn, said = drawn_rows(rows, Replies(counts))
    assert [row["model"] for row in drawn] == ["lab/a", "lab/b ?"]
    assert "Not drawn where no reply was read. ? marks" in said
    assert drawn_rows(rows[:1], Replies(counts)) == (rows[:1], "")
