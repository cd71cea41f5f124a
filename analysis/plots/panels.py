"""Small panels next to each other: models as rows, labelled once at the left."""

from collections.abc import Callable, Sequence
from typing import Any

from mirror_ray.analysis.plots.few_models import Values, few_models, room_for
from mirror_ray.analysis.plots.style import FAINT, HAIRLINE, INK
from mirror_ray.analysis.plots.text import columns_within, width_px, wrapped
from mirror_ray.analysis.plots.vega import Channel, Chart, nominal

ROW_PX = 24
TITLE_PX, LABEL_PX = 13, 12
_SPACING_PX = 18
_NOTE_PX = 420


def panel_title(text: str, panel_px: float) -> dict[str, Any]:
    """Return a panel's title, centred above it, on as many lines as it needs."""
    lines = wrapped(text, panel_px, size_px=TITLE_PX, bold=True)
    return {"text": _text(lines), "anchor": "middle", "color": INK}


def axis_title(text: str, panel_px: float) -> str | list[str]:
    """Return an axis's title, on as many lines as it needs."""
    return _text(wrapped(text, panel_px, size_px=LABEL_PX))


def _text(lines: str) -> str | list[str]:
    return lines.split("\n") if "\n" in lines else lines


def legend(
    labels: Sequence[str], *, panel_px: float, n_panels: int, across: int, rows: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a legend above the panels, in as many lines as it needs. `rows` are the labels at the
    left of each line of panels."""
    in_line = min(across, max(n_panels, 1))
    named_px = max((width_px(row, LABEL_PX) for row in rows), default=0.0)
    whole_px = named_px + in_line * panel_px + (in_line - 1) * _SPACING_PX
    columns = columns_within(labels, max(whole_px, 300))
    return {"title": None, "columns": columns, "symbolOpacity": 1}


def framed(chart: Chart, title: str, *, width_px: float, height_px: float) -> Chart:
    """Draw a panel with its title above and a thin frame."""
    return {
        **chart,
        "title": panel_title(title, width_px),
        "width": width_px,
        "height": height_px,
        "view": {"stroke": HAIRLINE},
    }


def lined_up(panels: Sequence[Chart], *, across: int, note: str = "") -> Chart:
    """Draw panels in lines, with one legend for all. `note` is a line above them, for example about
    models that are left out."""
    return {"concat": list(panels), "columns": across, **figure_note(note)}


class ModelPanels:
    """Panels whose rows are the same models, labelled once at the left, as many as fit. `rows` and
    `values` choose the models, as in `few_models`."""

    def __init__(
        self,
        rows: Sequence[dict[str, Any]],
        values: Callable[[dict[str, Any]], Values],
        titles: Sequence[str],
        *,
        panel_px: float,
        across: int,
    ) -> None:
        most = room_for(len(titles), across=across, row_px=ROW_PX)
        self.few = few_models(rows, values, most=most)
        self.labels = list(self.few.names.values())
        self._panel_px, self._across, self._n_panels = panel_px, across, len(titles)

    def rows(
        self, rows: Sequence[dict[str, Any]], title: str, key: str = "panel"
    ) -> list[dict[str, Any]]:
        """Return the rows of one panel, with each model's label as `name`."""
        return [
            {**row, "name": self.few.names[row["model"]]}
            for row in self.few.of(rows)
            if row[key] == title
        ]

    def models(self, position: int, *, has_grid: bool = True) -> Channel:
        """Return the vertical axis of the panel at `position` (from 0), under the key `name`. The
        first panel of each line has the labels."""
        axis = {"title": None, "labels": position % self._across == 0}
        return nominal(
            "name",
            sort=self.labels,
            scale={"domain": self.labels},
            axis={**axis, "grid": True} if has_grid else axis,
        )

    def axis_title(self, text: str) -> str | list[str]:
        """Return the title of an axis under each panel."""
        return axis_title(text, self._panel_px)

    def legend(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return the legend above the panels."""
        return legend(
            labels,
            panel_px=self._panel_px,
            n_panels=self._n_panels,
            across=self._across,
            rows=self.labels,
        )

    def framed(self, chart: Chart, title: str) -> Chart:
        """Draw one of the panels."""
        height_px = ROW_PX * len(self.labels)
        return framed(chart, title, width_px=self._panel_px, height_px=height_px)

    def lined_up(self, panels: Sequence[Chart]) -> Chart:
        """Draw the panels in lines, with the note on models that are left out."""
        return lined_up(panels, across=self._across, note=self.few.note)


def figure_note(text: str) -> Chart:
    """Return the part of a chart that is a remark above it, also in the figure's files; nothing for
    ""."""
    if not text:
        return {}
    lines = [""]
    # Lines break only between words, so that an option can be copied.
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_px(longer, LABEL_PX) > _NOTE_PX:
            lines.append(word)
        else:
            lines[-1] = longer
    look = {"fontSize": LABEL_PX, "fontWeight": "normal", "color": FAINT}
    return {"title": {"text": lines, **look, "anchor": "start", "offset": 14}}
