"""Figures of a thousand models stay within two screens, and say what they leave out."""

import re
from typing import Any

import pytest

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.few_models import MOST_MODELS, SCREENS_PX, few_models
from mirror_ray.analysis.plots.forest import forest
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.latency import latency
from mirror_ray.analysis.plots.marked_shares import marked_shares
from mirror_ray.analysis.plots.pace import pace
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.report.drawing import draw_figure
from mirror_ray.analysis.report.section import Figure

pytestmark = pytest.mark.thorough("analysis/test_report_page.py")

MODELS = tuple(f"lab/model-{n:04d}" for n in range(1_000))
PANELS = tuple(f"panel {n}" for n in range(12))
KINDS = {"right": "#000000", "wrong": "#ffffff"}


def values(row: dict[str, Any]) -> list[tuple[str, float | None]]:
    return [(row["panel"], row["value"])]


def rows(**columns: Any) -> list[dict[str, Any]]:
    """A row a model and panel: model n scores n / 1,000."""
    return [
        {"model": model, "panel": panel, "description": model, **columns}
        | {name: n / 1_000 for name, value in columns.items() if value is None}
        for n, model in enumerate(MODELS)
        for panel in PANELS
    ]


def charts() -> dict[str, Any]:
    ends = rows(left=None, right=None)
    quantiles = dict.fromkeys(("p5_s", "p25_s", "p50_s", "p75_s", "p95_s"), None)
    return {
        "forest": lambda: forest(rows(difference=None, low=0, high=1, is_clear=True), title="d"),
        "dumbbell": lambda: dumbbell(
            [row | {"condition": row["panel"]} for row in ends], left="L", right="R", title="s"
        ),
        "heat_map": lambda: heat_map(
            rows(column="E1", value=None, label="x"), columns=["E1"], title="s"
        ),
        "square": lambda: heat_map(
            [
                {"model": one, "column": other, "panel": "", "value": 0.5, "label": "x"}
                | {"description": ""}
                for one in MODELS[:100]
                for other in MODELS[:100]
            ],
            columns=MODELS[:100],
            title="s",
        ),
        "marked_shares": lambda: marked_shares(
            rows(estimate=None, low=0.0, high=1.0, mark=0.3), title="s"
        ),
        "stacked_shares": lambda: stacked_shares(rows(kind="right", n=3), kinds=KINDS, title="s"),
        "curves": lambda: curves(
            rows(value=1.0, estimate=None, low=0.0, high=1.0),
            title="x",
            values=[1.0, 2.0],
            spacing="linear",
        ),
        "latency": lambda: latency([row | {"n": 3} for row in rows(**quantiles)[::12]]),
        "scatter": lambda: scatter(
            [
                row | {"panel": row["model"]}
                for row in rows(x=0.5, y=None, low=None, high=None, n=1, label="")
            ],
            across=4,
            titles=("x", "y"),
            diagonal=True,
        ),
        "pace": lambda: pace(rows(minute=0.0, width_s=60, per_minute=3.0)),
    }


@pytest.mark.parametrize("name", charts())
def test_figures_of_a_thousand_models_stay_within_two_screens(name: str) -> None:
    svg = draw_figure(Figure("f", "t", "x", "select 1", charts()[name]())).svg
    (width, height) = (
        float(found[1])
        for what in ("width", "height")
        if (found := re.search(rf'<svg[^>]*? {what}="([0-9.]+)"', svg))
    )
    assert height <= SCREENS_PX
    assert width <= 1_800
    assert len(svg) < 2_000_000
    said = " ".join(re.sub("<[^>]+>", " ", svg).split())
    if name == "pace":
        assert "990 other models" in said
    else:
        assert re.search(r"\d+ of (1,000|100) (models|panels): the first and the last \d+", said)
        assert "--models" in said
        assert "SQL" in said


def test_the_best_the_worst_and_those_that_stand_out_are_shown_from_the_best_on() -> None:
    scores = [
        {"model": model, "panel": panel, "value": n / 1_000}
        for n, model in enumerate(MODELS)
        for panel in ("E1", "E2")
    ]
    odd = {"lab/model-0500": 0.45, "lab/model-0501": 0.3}
    for row in scores:
        shift = odd.get(row["model"], 0.0)
        row["value"] += shift if row["panel"] == "E1" else -shift
    few = few_models(scores, values)
    assert list(few.names) == [
        *reversed(MODELS[-10:]),
        "lab/model-0501",
        "lab/model-0500",
        *reversed(MODELS[:10]),
    ]
    assert few.note.startswith(
        "22 of 1,000 models: the first and the last 10, and 2 whose values differ most"
    )
    assert {row["model"] for row in few.of(scores)} == set(few.names)


def test_few_models_are_all_shown_by_name_and_nothing_is_said() -> None:
    some = [{"model": m, "panel": "", "value": None} for m in reversed(MODELS[:MOST_MODELS])]
    few = few_models(some, values)
    assert tuple(few.names) == MODELS[:MOST_MODELS]
    assert few.note == ""
    assert few.of(some) == some


def test_models_without_a_value_are_not_among_the_worst() -> None:
    scores = [
        {"model": model, "panel": "", "value": None if n == 7 else n / 1_000}
        for n, model in enumerate(MODELS)
    ]
    assert list(few_models(scores, values).names)[-2:] == [MODELS[1], MODELS[0]]
    assert MODELS[7] not in few_models(scores, values).names
    none = [row | {"value": None} for row in scores]
    assert len(few_models(none, values).names) == 20
