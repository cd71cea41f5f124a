"""Small panels side by side: models as rows, labelled once at the left.

Knows how panels are laid out; does not know what is in them.
"""

from collections.abc import Sequence

import altair as alt

from analysis.plots.style import HAIRLINE

ROW_PX = 24


def model_rows(names: Sequence[str], *, position: int, across: int) -> alt.Y:
    """The vertical axis of a panel whose rows are models, under the key `name`.

    Args:
        names: of all the models of the figure: every panel has the same rows.
        position: the panel's, from 0; the first of each line has the labels.
        across: panels in a line.
    """
    return alt.Y(
        "name:N",
        sort=list(names),
        scale=alt.Scale(domain=list(names)),
        axis=alt.Axis(title=None, labels=position % across == 0, grid=True),
    )


def framed(chart: alt.LayerChart, title: str, *, width_px: int, n_rows: int) -> alt.LayerChart:
    """A panel with its title above and a thin frame."""
    panel: alt.LayerChart = chart.properties(
        title=alt.TitleParams(title, anchor="middle"),
        width=width_px,
        height=ROW_PX * n_rows,
        view=alt.ViewBackground(stroke=HAIRLINE),
    )
    return panel


def lined_up(panels: Sequence[alt.Chart | alt.LayerChart], *, across: int) -> alt.ConcatChart:
    """Panels in lines, with one legend for all."""
    together: alt.ConcatChart = alt.concat(*panels, columns=across)
    return together
