"""How wide tables in LaTeX become, by their text."""

import re
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest

from mirror_ray.analysis.report.latex import latex_table
from mirror_ray.analysis.report.latex_layout import layout_of
from mirror_ray.analysis.report.section import Column, ReportTable, TableCell
from mirror_ray.analysis.report.shown import TableText

FIGURE = TableCell(".31", small=".09–.53", letters="a")


def seen(*cells: TableCell, words: str = "model") -> TableText:
    names = Column(words, lambda _: cells[0], is_number=False)
    figures = (Column("E1", lambda _, cell=cell: cell) for cell in cells[1:])
    return TableText((names, *figures), (("", (cells,)),), "")


def test_a_table_with_room_keeps_intervals_beside_figures():
    layout = layout_of(seen(TableCell("openai/gpt-5.1"), FIGURE, FIGURE))
    assert (layout.columns, layout.size, layout.fits) == (("l", "r", "r"), "", True)
    assert not layout.is_stacked


@pytest.mark.parametrize(("conditions", "size"), [(5, ""), (9, ""), (10, r"\footnotesize")])
def test_intervals_go_below_before_letters_get_smaller(conditions, size):
    # Of 345 pt the name takes 60; an interval below a figure takes 24, in \tiny 21, which do not
    # shrink with the text; 6 pt are between columns.
    layout = layout_of(seen(TableCell("openai/gpt-5.1"), *[FIGURE] * conditions))
    assert (layout.is_stacked, layout.size, layout.fits) == (True, size, True)


def test_what_no_size_makes_fit_is_said():
    layout = layout_of(seen(TableCell("openai/gpt-5.1"), *[FIGURE] * 20))
    assert (layout.size, layout.fits) == (r"\scriptsize", False)


def test_long_words_wrap_within_the_line_and_figures_do_not():
    layout = layout_of(seen(TableCell("what a metric means, " * 9), FIGURE))
    words, figure = layout.columns
    assert figure == "r"
    share = float(words.removeprefix("p{").removesuffix(r"\linewidth}"))
    assert share * 345 + 2 * 12 + 7 * 3.5 <= 345.0 + 345 * 0.005
    assert layout.fits


def test_the_words_of_a_heading_stand_below_each_other_where_intervals_do():
    # contingency's eleven columns: side by side their headings alone were wider than a page.
    headings = ("correct", "on own shirt", "on late", "said none", "no answer", "tested")
    headings += ("too early", "said left", "said middle", "said right")
    names = Column("model", lambda _: TableCell("lab/a"), is_number=False)
    figures = tuple(Column(heading, lambda _: FIGURE) for heading in headings)
    shown = TableText((names, *figures), (("", ((TableCell("lab/a"), *[FIGURE] * 10),)),), "")
    layout = layout_of(shown)
    assert (layout.is_stacked, layout.fits) == (True, True)
    table = ReportTable("t", "A", "B.", "from x", pa.table({"a": [1]}), (names, *figures))
    text = latex_table(table, shown)
    assert r"\begin{tabular}[b]{@{}r@{}}on \\ own \\ shirt\end{tabular}" in text
    assert "wider than a page" not in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_what_fits_by_the_estimate_fits_the_page(tmp_path: Path) -> None:
    names = ("openai/gpt-5.1", "illi/lil-1_i", "WWW/MMM-W", "a_b%&#{}~^\\$<>|`", "[3pt]x")
    tables = []
    for name in names:
        for n in range(1, 13):
            shown = seen(TableCell(name), *[FIGURE] * n)
            columns = shown.columns
            table = ReportTable(
                f"t{len(tables)}", "A", "B.", "from x", pa.table({"a": [1]}), columns
            )
            tables.append(latex_table(table, shown))
    fitting = [text for text in tables if "wider than a page" not in text]
    assert len(fitting) > len(names) * 9
    preamble = r"\documentclass{article}\usepackage{booktabs}\extrafloats{200}\begin{document}"
    (tmp_path / "x.tex").write_text("\n".join([preamble, *fitting, r"\end{document}"]))
    command = ["pdflatex", "-halt-on-error", "-interaction=batchmode", "x.tex"]
    subprocess.run(command, cwd=tmp_path, check=True)
    log = (tmp_path / "x.log").read_text(errors="replace")
    # Widths are of classes of letters.
    assert [pt for pt in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log) if float(pt) > 4] == []


def test_a_heading_over_all_columns_wraps_where_it_is_wider():
    name = "openrouter/mistralai/ministral-14b-2512:nitro"
    short, long = "E1 · paper", f"selfid · condition · {name} · temperature 0.2 · paper · steps 6"
    layout = layout_of(seen(TableCell("mirror → E3"), FIGURE, FIGURE))
    assert layout.across(short) == "l"
    share = float(layout.across(long).removeprefix("p{").removesuffix(r"\linewidth}"))
    assert 0 < share * 345 <= 345


def test_a_long_name_breaks_within_a_column_of_words():
    name = "openrouter/mistralai/ministral-14b-2512:nitro"
    columns = seen(TableCell(name)).columns
    table = ReportTable("t", "A", "B.", "from x", pa.table({"a": [1]}), columns)
    text = latex_table(table, seen(TableCell(f"openai/gpt-5.1 → {name}"), *[FIGURE] * 9))
    assert r"openrouter/\allowbreak{}mistralai/\allowbreak{}ministral-14b-2512:" in text
    assert "allowbreak" not in latex_table(table, seen(TableCell(name), FIGURE))
