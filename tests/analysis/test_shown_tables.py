"""What people are shown of a table: equal digits, n once, and what is left out named."""

import pyarrow as pa
import pytest

from mirror_ray.analysis.plots.names import MOST_SHORT_CHARS, short_names
from mirror_ray.analysis.plots.style import DARK_FROM, FAINT, INK, ON_DARK, ON_LIGHT, SEQUENTIAL
from mirror_ray.analysis.plots.text import width_px, wrapped
from mirror_ray.analysis.report.cells import (
    estimate_column,
    fixed_text,
    number_column,
    number_text,
    words,
)
from mirror_ray.analysis.report.latex import latex_table
from mirror_ray.analysis.report.markdown import escaped_markdown, markdown_table
from mirror_ray.analysis.report.naming import renamed_chart, renamed_table, renamed_text
from mirror_ray.analysis.report.page import page
from mirror_ray.analysis.report.section import NOT_HERE, ReportTable, Section, TableCell
from mirror_ray.analysis.report.shown import MOST_CSV_ROWS, MOST_ROWS, TableText, table_text

ROWS = [
    {"model": "lab/a", "x": 7.0, "x_n": 6, "y": 0.5, "y_n": 6, "z": None, "z_n": 0},
    {"model": "lab/b", "x": 14.25, "x_n": 6, "y": 0.25, "y_n": 4, "z": None, "z_n": 0},
]


def table() -> ReportTable:
    columns = (
        words("model", "model"),
        estimate_column(
            "X", key="x", n="x_n", show=number_text, mark=lambda row: (row["x"] > 9, "ab")
        ),
        estimate_column("Y", key="y", n="y_n", is_here=lambda row: row["model"] != "lab/a"),
        estimate_column("Z", key="z", n="z_n"),
    )
    data = pa.Table.from_pylist(ROWS)
    return ReportTable("t", "A | table", "Says_so.", "from x", data, columns)


def cells(one: TableText) -> list[list[str]]:
    return [[cell.text for cell in row] for _, rows in one.groups for row in rows]


def test_n_stands_once_and_with_what_differs() -> None:
    seen = table_text(table())
    assert [column.heading for column in seen.columns] == ["model", "n", "X", "Y"]
    assert cells(seen) == [["lab/a", "6", "7.0", NOT_HERE], ["lab/b", "6", "14.2", ".25"]]
    assert [cell.small for cell in seen.groups[0][1][1]] == ["", "", "", "n=4"]


def test_a_name_is_broken_between_its_parts() -> None:
    section = Section("s", "S", "", (table(),))
    html = page("A", "", (), [section], drawings={}, tables={"t": table_text(table())})
    assert "lab/<wbr>a</th>" in html


def test_what_nothing_defines_is_named_and_not_shown() -> None:
    assert "Z" in table_text(table()).note
    assert "Z" not in [column.heading for column in table_text(table()).columns]


def test_a_table_too_long_for_a_spreadsheet_is_written_as_parquet_alone() -> None:
    for n, first, says in ((MOST_CSV_ROWS, "csv", "the files."), (MOST_CSV_ROWS + 1, "parquet",
            f"long.parquet: of more than {MOST_CSV_ROWS:,} no CSV is written.")):  # fmt: skip
        data = pa.table({"model": pa.repeat(pa.scalar("lab/a"), n)})
        long = ReportTable("long", "A", "Says.", "from x", data, (words("model", "model"),))
        seen = table_text(long)
        assert seen.kinds[0] == first
        assert f"rows; all are in long.{first}." in seen.note_in("long")
        html = page(
            "A", "", (), [Section("s", "S", "", (long,))], drawings={}, tables={"long": seen}
        )
        assert f"all are in {says}" in html
        assert ("tables/long.csv" in html) == (first == "csv")


@pytest.mark.parametrize(
    ("errors", "models", "note"),
    [
        ([0, 0], [], "No episode ended in an error."),
        ([0, 2], ["lab/1"], "1 further row is not shown: there no episode ended in an error."),
        ([0, 1, 0], ["lab/1"], "2 further rows are not shown: there no episode ended in an error."),
        ([3, 2], ["lab/0", "lab/1"], ""),
        ([], [], ""),
    ],
)
def test_rows_that_say_nothing_are_counted_and_not_shown(errors, models, note) -> None:
    data = pa.table(
        {"model": [f"lab/{place}" for place in range(len(errors))], "n": errors},
        pa.schema([("model", pa.string()), ("n", pa.int64())]),
    )
    columns = (words("model", "model"), number_column("n", "errors"))
    quiet = ReportTable(
        "errors", "Errors", "Says.", "from x", data, columns,
        tells=lambda row: row["n"] > 0, silence="no episode ended in an error",
    )  # fmt: skip
    seen = table_text(quiet)
    assert [row[0] for row in cells(seen)] == models
    assert (seen.note, seen.n_rows) == (note, len(models))
    assert escaped_markdown(note) in markdown_table(quiet, seen)
    assert note in latex_table(quiet, seen)


def test_of_a_table_that_nobody_reads_the_ends_are_shown() -> None:
    n = MOST_ROWS + 1
    names = [f"lab/{place}" for place in range(n)]
    # Defined in one row only, and that one is not shown.
    once = [0.5 if place == 700 else None for place in range(n)]
    data = pa.table({"model": names, "y": once, "z": pa.nulls(n, pa.float64())})
    columns = (
        words("model", "model"),
        estimate_column("Y", key="y"),
        estimate_column("Z", key="z"),
    )
    long = ReportTable("long", "A", "Says.", "from x", data, columns)
    seen = table_text(long)
    assert (seen.n_rows, seen.left_out) == (n, n - 50)
    assert [row[0] for row in cells(seen)] == [*names[:40], *names[-10:]]
    assert [column.heading for column in seen.columns] == ["model", "Y"]
    said = f"The first 40 and the last 10 of {n:,} rows; all are in long.csv."
    assert said in latex_table(long, seen)
    assert said in markdown_table(long, seen).replace("\\", "")
    whole = ReportTable("whole", "A", "Says.", "from x", data.slice(0, MOST_ROWS), columns)
    assert table_text(whole).left_out == 0
    assert len(cells(table_text(whole))) == MOST_ROWS


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([7.0, 14.25, 0.833], ["7.0", "14.2", "0.8"]),
        ([1, 20, None], ["1", "20", "–"]),
        ([-0.5, 0.25], ["−0.50", "0.25"]),
        ([1234.5, 2.0], ["1,234", "2"]),
        ([float("nan")], ["nan"]),
    ],
)
def test_a_column_has_equally_many_digits(values: list[float], texts: list[str]) -> None:
    assert [fixed_text(values)(value) for value in values] == texts


def test_the_best_is_bold_and_letters_stand_above() -> None:
    seen = table_text(table())
    assert r"\textbf{14.2}\textsuperscript{ab}" in latex_table(table(), seen)
    assert "| **14.2**<sup>ab</sup> |" in markdown_table(table(), seen)


def test_markdown_prints_what_stands_there() -> None:
    hostile = "a|b <img src=x> [x](javascript:1) `c` *d* @e\n| f \x1b[2J"
    text = escaped_markdown(hostile)
    assert "\n" not in text
    assert "\x1b" not in text
    for sign in "|<>[]`*@":
        assert text.count(sign) == text.count(f"\\{sign}")
    for acts in ("http://h", "- item", "---", "a --", ":smile:", "#1"):
        assert escaped_markdown(acts) != acts
        assert escaped_markdown(acts).replace("\\", "") == acts


@pytest.mark.parametrize(
    "said", ["gpt-5.1", "flipset: accuracy", "(Holm, p ≥ .05).", "gemma-4-31b"]
)
def test_names_and_prose_stand_in_markdown_as_they_are_written(said: str) -> None:
    assert escaped_markdown(said) == said


def test_names_of_a_reader_s_choice() -> None:
    names = {"lab/a": "A & co", "E1": "with mirror"}
    assert renamed_text("E1 → E2", names) == "with mirror → E2"
    assert renamed_text("lab/a is not E1", names) == "lab/a is not E1"
    assert cells(renamed_table(table_text(table()), names))[0][0] == "A & co"
    spec = {"mark": {"type": "E1"}, "values": [{"name": "E1", "description": "E1"}]}
    assert renamed_chart(spec, names) == {
        "mark": {"type": "E1"},
        "values": [{"name": "with mirror", "description": "E1"}],
    }


def test_long_names_stay_apart_and_bounded() -> None:
    models = [f"lab/{'m' * 60}{i}{'n' * 60}" for i in range(3)] + ["x/\x00\nb"]
    names = short_names(models)
    assert len(set(names.values())) == len(models)
    assert all(len(name) <= MOST_SHORT_CHARS + 4 and name.isprintable() for name in names.values())


@pytest.mark.parametrize("text", ["a", "share of last statements", "x" * 80, "a-b_c/d:e" * 9])
def test_a_wrapped_text_has_room_and_loses_nothing(text: str) -> None:
    lines = wrapped(text, 90).split("\n")
    assert max(width_px(line, 12) for line in lines) <= 90
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def luminance(colour: str) -> float:
    named = {"white": "#ffffff"}.get(colour, colour)
    parts = [int(named[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def along(share: float) -> str:
    """The colour at a share of the scale's length, as Vega puts it between two stops."""
    place = share * (len(SEQUENTIAL) - 1)
    left = min(int(place), len(SEQUENTIAL) - 2)
    stops = [[int(SEQUENTIAL[left + k][i : i + 2], 16) for i in (1, 3, 5)] for k in (0, 1)]
    mixed = (a + (b - a) * (place - left) for a, b in zip(*stops, strict=True))
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


def test_text_is_told_from_what_it_stands_on() -> None:
    assert min(contrast(FAINT, "white"), contrast(INK, "white")) >= 4.5
    for step in range(101):
        text = ON_DARK if step / 100 > DARK_FROM else ON_LIGHT
        assert contrast(text, along(step / 100)) >= 4.5, step


def test_cells_are_plain() -> None:
    assert TableCell("a") == TableCell("a", "", None, None, False, "")
