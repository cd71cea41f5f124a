"""How wide tables in LaTeX become, by their text."""

import pytest

from mirror_ray.analysis.report.latex_layout import layout_of
from mirror_ray.analysis.report.section import Cell, Column
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
    [(5, ""), (8, ""), (9, r"\small"), (11, r"\footnotesize"), (12, r"\scriptsize")],
)
def test_intervals_go_below_before_letters_get_smaller(conditions, size):
    # 14 letters of 5 pt; under each figure 7 of 3.5 pt; 6 pt between columns; 345 pt in a line.
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
