"""Small panels next to each other: models as rows, labelled once at the left."""

from collections.abc import Sequence

import altair as alt

from mirror_ray.analysis.plots.style import FAINT, HAIRLINE, INK
from mirror_ray.analysis.plots.text import columns_within, width_px, wrapped

ROW_PX = 24
TITLE_PX, LABEL_PX = 13, 12
_SPACING_PX = 18
_NOTE_PX = 420


def panel_model_rows(names: Sequence[str], *, position: int, across: int) -> alt.Y:
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


def panel_title(text: str, panel_px: float) -> alt.TitleParams:
    """Return a panel's title, centred above it, on as many lines as it needs."""
    lines = wrapped(text, panel_px, size_px=TITLE_PX, bold=True)
    return alt.TitleParams(_text(lines), anchor="middle", color=INK)


def axis_title(text: str, panel_px: float) -> str | list[str]:
    """Return an axis's title, on as many lines as it needs."""
    return _text(wrapped(text, panel_px, size_px=LABEL_PX))


def _text(lines: str) -> str | list[str]:
    return lines.split("\n") if "\n" in lines else lines


def legend(
    labels: Sequence[str], *, panel_px: float, n_panels: int, across: int, rows: Sequence[str] = ()
) -> alt.Legend:
    """Return a legend above the panels, in as many lines as it needs.

    Args:
        panel_px: a panel's width.
        rows: the labels at the left of each line of panels.
    """
    in_line = min(across, max(n_panels, 1))
    named_px = max((width_px(row, LABEL_PX) for row in rows), default=0.0)
    whole_px = named_px + in_line * panel_px + (in_line - 1) * _SPACING_PX
    return alt.Legend(
        title=None, columns=columns_within(labels, max(whole_px, 300)), symbolOpacity=1
    )


def framed(chart: alt.LayerChart, title: str, *, panel_px: int, n_rows: int) -> alt.LayerChart:
    """A panel with its title above and a thin frame."""
    panel: alt.LayerChart = chart.properties(
        title=panel_title(title, panel_px),
        width=panel_px,
        height=ROW_PX * n_rows,
        view=alt.ViewBackground(stroke=HAIRLINE),
    )
    return panel


def lined_up(
    panels: Sequence[alt.Chart | alt.LayerChart], *, across: int, note: str = ""
) -> alt.ConcatChart:
    """Panels in lines, with one legend for all.

    Args:
        note: the line above them, such as one on models that are left out.
    """
    together: alt.ConcatChart = alt.concat(*panels, columns=across)
    return together.properties(title=figure_note(note)) if note else together


def figure_note(text: str) -> alt.TitleParams:
    """Return a remark above a figure, which is also in the figure's files."""
    lines = [""]
    # Lines break only between words: an option that is cut could not be copied.
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_px(longer, LABEL_PX) > _NOTE_PX:
            lines.append(word)
        else:
            lines[-1] = longer
    return alt.TitleParams(
        lines, fontSize=LABEL_PX, fontWeight="normal", color=FAINT, anchor="start", offset=14
    )
