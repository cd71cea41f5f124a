"""How wide tables in LaTeX become, by their text."""

import pyarrow as pa
import pytest

from mirror_ray.analysis.report.latex import latex_table
from mirror_ray.analysis.report.latex_layout import layout_of
from mirror_ray.analysis.report.section import Cell, Column, Table
from mirror_ray.analysis.report.shown import Shown

FIGURE = Cell(".31", small=".09–.53", letters="a")


def seen(*cells: Cell, words: str = "model") -> Shown:
    names = Column(words, lambda _: cells[0], is_number=False)
    figures = (Column("E1", lambda _, cell=cell: cell) for cell in cells[1:])
    return Shown((names, *figures), (("", (cells,)),), "")


def test_a_table_with_room_keeps_intervals_beside_figures():
    layout = layout_of(seen(Cell("openai/gpt-5.1"), FIGURE, FIGURE))
    assert (layout.columns, layout.size, layout.fits) == (("l", "r", "r"), "", True)
    assert not layout.is_stacked


@pytest.mark.parametrize(
    ("conditions", "size"),
    [(5, ""), (8, ""), (9, r"\small"), (10, r"\footnotesize")],
)
def test_intervals_go_below_before_letters_get_smaller(conditions, size):
    # 14 letters of 5 pt, or of 4.5 and 4; under each figure 7 of 3.5 pt, or of 3 in \tiny, which do
    # not shrink with the text; 6 pt between columns; 345 pt in a line.
    layout = layout_of(seen(Cell("openai/gpt-5.1"), *[FIGURE] * conditions))
    assert (layout.is_stacked, layout.size, layout.fits) == (True, size, True)


def test_what_no_size_makes_fit_is_said():
    layout = layout_of(seen(Cell("openai/gpt-5.1"), *[FIGURE] * 20))
    assert (layout.size, layout.fits) == (r"\scriptsize", False)


def test_long_words_wrap_within_the_line_and_figures_do_not():
    layout = layout_of(seen(Cell("what a metric means, " * 9), FIGURE))
    words, figure = layout.columns
    assert figure == "r"
    share = float(words.removeprefix("p{").removesuffix(r"\linewidth}"))
    assert share * 345 + 2 * 12 + 7 * 3.5 <= 345.0 + 345 * 0.005
    assert layout.fits


def test_the_words_of_a_heading_stand_below_each_other_where_intervals_do():
    # contingency's eleven columns: side by side their headings alone were wider than a page.
    headings = ("correct", "on own shirt", "on late", "said none", "no answer", "tested")
    headings += ("too early", "said left", "said middle", "said right")
    names = Column("model", lambda _: Cell("lab/a"), is_number=False)
    figures = tuple(Column(heading, lambda _: FIGURE) for heading in headings)
    shown = Shown((names, *figures), (("", ((Cell("lab/a"), *[FIGURE] * 10),)),), "")
    layout = layout_of(shown)
    assert (layout.is_stacked, layout.fits) == (True, True)
    table = Table("t", "A", "B.", "from x", pa.table({"a": [1]}), (names, *figures))
    text = latex_table(table, shown)
    assert r"\begin{tabular}[b]{@{}r@{}}on \\ own \\ shirt\end{tabular}" in text
    assert "wider than a page" not in text
