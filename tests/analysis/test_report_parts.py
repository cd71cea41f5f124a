"""Cells, LaTeX, names and drawings: what a table or a figure turns into."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pytest

from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.vega import DESCRIPTION, layer, quantitative
from mirror_ray.analysis.report.cells import (
    estimate_column,
    held_text,
    interval_text,
    number_text,
    share_of,
    share_text,
    three_digits_text,
    usd_text,
    words,
)
from mirror_ray.analysis.report.drawing import draw_figure
from mirror_ray.analysis.report.latex import escaped_latex, latex_table
from mirror_ray.analysis.report.page import views_of
from mirror_ray.analysis.report.section import Figure, ReportTable, TableCell
from mirror_ray.analysis.report.shown import table_text

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0, ".00"), (1, "1.00"), (0.126, ".13"), (-0.25, "−.25"), (-0.001, ".00")],
)
def test_shares(value: float | None, text: str) -> None:
    assert share_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (7.0, "7"),
        (8.25, "8.25"),
        (33.333, "33.3"),
        (12345.6, "12,346"),
        (-2.5, "−2.5"),
    ],
)
def test_numbers(value: float | None, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((None, "–"), (0, "0"), (0.025, "0.0250"), (1, "1.00"), (2.5, "2.50"), (9.999, "10.0")),
        *((12.34, "12.3"), (99.96, "100"), (123.4, "123"), (12_345, "12,300")),
    ],
)
def test_three_digits(value: float | None, text: str) -> None:
    assert three_digits_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0, "$0.00"), (0.0004, "$0.0004"), (1234.5, "$1,234.50")]
)
def test_money(value: float | None, text: str) -> None:
    assert usd_text(value) == text


@pytest.mark.parametrize(
    ("said", "temperature", "text"),
    [
        ("flipset · condition · lab/a · 0 · paper+circular=True", 0.0,
         "flipset · condition · lab/a · temperature 0 · paper · circular"),
        ("selfid · temperature · lab/a · 0.2", None, "selfid · temperature · lab/a · 0.2"),
        ("selfid · model · E1 · 0.2", 0.2, "selfid · model · E1 · temperature 0.2"),
        ("selfid · model · E1 · 0.25", 0.2, "selfid · model · E1 · 0.25"),
    ],
)  # fmt: skip
def test_what_a_comparison_holds_names_its_temperature(
    said: str, temperature: float | None, text: str
) -> None:
    assert held_text(said, temperature) == text


def test_an_unknown_end_is_no_interval() -> None:
    assert interval_text(0.1, None, share_text) == ""
    assert interval_text(0.1, 0.3, share_text) == ".10–.30"
    assert interval_text(-0.3, -0.1, share_text) == "−.30 to −.10"


def test_an_estimate_has_its_interval_and_denominator() -> None:
    column = estimate_column("TSA")
    row = {"estimate": 0.5, "ci_low": 0.1, "ci_high": 0.9, "n": 1200}
    assert column.show(row) == TableCell(".50", ".10–.90", n=1200)
    assert column.show({**row, "ci_low": None}) == TableCell(".50", n=1200)
    assert column.show({**row, "estimate": None}) == TableCell("–")


def test_a_share_of_nothing_is_undefined() -> None:
    column = share_of("k", "failed", of="n")
    assert column.show({"k": 3, "n": 12}) == TableCell(".25", "3 of 12")
    assert column.show({"k": 0, "n": 0}) == TableCell("–")


def test_names_lose_the_provider_unless_two_would_look_the_same() -> None:
    assert short_names(["openai/gpt", "x/y/qwen", "scripted/a", "other/a"]) == {
        "openai/gpt": "gpt",
        "other/a": "other/a",
        "scripted/a": "scripted/a",
        "x/y/qwen": "qwen",
    }


def test_views_are_those_a_query_reads() -> None:
    sql = "with a as (from shard.x_steps) select * from metric.b join a join metric.b using (k) "
    sql += "where a.x is not distinct from c.y"
    assert views_of(sql) == ("shard.x_steps", "metric.b")


def table(*models: str) -> ReportTable:
    data = pa.table({"model": list(models), "estimate": [0.5] * len(models)})
    return ReportTable(
        "rates",
        "Rates_of",
        "50 % & more.",
        "from x",
        data,
        (words("model", "m_1"), estimate_column("$")),
    )


def printed(table: ReportTable) -> str:
    return latex_table(table, table_text(table))


def test_latex_prints_what_stands_there() -> None:
    text = printed(table("a_b%", r"\input{x}"))
    assert r"a\_b\%" in text
    assert r"\textbackslash{}input\{x\}" in text
    assert r"\caption{Rates\_of. 50 \% \& more.}" in text
    assert [line for line in text.splitlines() if line.endswith(r"\\")] == [
        r"m\_1 & \$ \\",
        r"a\_b\% & .50 \\",
        r"\textbackslash{}input\{x\} & .50 \\",
    ]


def test_latex_has_no_second_line_of_a_model() -> None:
    assert escaped_latex("a\n\\end{table}\x1b") == r"a \textbackslash{}end\{table\} "


def test_latex_loses_no_character_of_a_name() -> None:
    # Behind a row's end a bracket or a star would be an option of it; doubled, these are ligatures.
    assert escaped_latex("[3pt]x") == "{[}3pt]x"
    assert escaped_latex("*x") == "{*}x"
    assert escaped_latex("a--b---c''") == "a-{}-b-{}-{}-c'{}'"
    assert escaped_latex("é μ模型") == (
        r"é \ifdefined\Umathchar μ模型\else U+03BC U+6A21 U+578B\fi{}"
    )


LATIN = ("".join(map(chr, range(0xA1, 0xD0))), "".join(map(chr, range(0xD0, 0x100))))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_compiles(tmp_path: Path) -> None:
    body = printed(table("a_b%&#{}~^\\", "–−×·→≥≤τ", "[3pt]x", "*", "模型 🙂 \u0301ŵ", *LATIN))
    (tmp_path / "x.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
        f"{body}\\end{{document}}\n"
    )
    subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=batchmode", "x.tex"], cwd=tmp_path, check=True
    )


def figure(name: str) -> Figure:
    rows = [{"x": 1, "y": 2, "description": "<b>one</b>"}, {"x": 2, "y": 3, "description": "two"}]
    y = quantitative("y")
    encoding = {"x": quantitative("x"), "y": y, "color": y, "description": DESCRIPTION}
    chart = layer({"type": "point"}, encoding, rows=rows)
    return Figure(name, "A figure", "Shows two points.", "from x", chart)


def nodes(svg: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(svg).iter()  # noqa: S314 - drawn here


def test_a_mark_tells_what_it_is_when_pointed_at() -> None:
    titles = [
        node.text for node in nodes(draw_figure(figure("a")).svg) if node.tag == f"{SVG}title"
    ]
    assert titles == ["<b>one</b>", "two"]


def test_two_figures_on_a_page_share_no_id() -> None:
    ids = [
        {node.get("id") for node in nodes(draw_figure(figure(name)).svg)} - {None} for name in "ab"
    ]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert f"url(#{ids[0].pop()})" in draw_figure(figure("a")).svg


def test_the_same_figure_is_drawn_alike() -> None:
    one, other = draw_figure(figure("a")), draw_figure(figure("a"))
    assert (one.svg, one.png) == (other.svg, other.png)
    assert one.pdf.startswith(b"%PDF")


def test_a_png_has_twice_the_figures_size() -> None:
    drawn = draw_figure(figure("a"))
    width_px = int.from_bytes(drawn.png[16:20], "big")
    assert abs(width_px - 2 * float(next(nodes(drawn.svg)).get("width", 0))) <= 2
