"""Figures as specifications: valid Vega-Lite that holds what it was given, in its order."""

from collections.abc import Iterator
from typing import Any

import pytest

from mirror_ray.analysis.plots.curves import MOST_WITH_INTERVALS, curves
from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.forest import CLEAR, OPEN, forest
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.latency import latency
from mirror_ray.analysis.plots.pace import pace
from mirror_ray.analysis.plots.stacked_shares import stacked_shares


def rows_of(spec: dict[str, Any], mark: str) -> list[list[dict[str, Any]]]:
    """The rows of every mark of a kind, in the order of the specification."""

    def walk(node: Any, data: Any) -> Iterator[list[dict[str, Any]]]:
        if isinstance(node, list):
            for part in node:
                yield from walk(part, data)
        elif isinstance(node, dict):
            data = node.get("data", data)
            if node.get("mark", {}).get("type") == mark:
                yield data["values"]
            for key in ("layer", "concat"):
                yield from walk(node.get(key), data)

    return list(walk(spec, None))


def test_a_dumbbell_has_no_line_to_an_undefined_end() -> None:
    rows = [
        {"model": "p/a", "condition": "E2", "left": 0.5, "right": None, "description": "a"},
        {"model": "p/b", "condition": "E2", "left": 0.5, "right": 1.0, "description": "b"},
        {"model": "p/a", "condition": "E1", "left": 0.0, "right": 0.0, "description": "c"},
    ]
    spec = dumbbell(rows, left="L", right="R", title="share")
    assert [panel["title"]["text"] for panel in spec["concat"]] == ["E1", "E2"]
    assert [[row["name"] for row in panel] for panel in rows_of(spec, "rule")] == [["a"], ["b"]]
    assert [len(panel) for panel in rows_of(spec, "point")] == [2, 3]


def test_bars_are_shares_of_their_panel() -> None:
    rows = [
        {"model": "a", "panel": "E1", "kind": "right", "n": 1},
        {"model": "a", "panel": "E1", "kind": "wrong", "n": 3},
        {"model": "b", "panel": "E2", "kind": "wrong", "n": 2},
    ]
    kinds = {"right": "#000000", "wrong": "#ffffff"}
    spec = stacked_shares(rows, kinds=kinds, title="share")
    bars = rows_of(spec, "bar")
    assert [[(row["name"], row["share"]) for row in panel] for panel in bars] == [
        [("a", 0.25), ("a", 0.75)],
        [("b", 1.0)],
    ]
    assert bars[0][1]["description"] == "a E1: wrong, 3 of 4"
    assert rows_of(spec, "text")[0] == [{"name": "a", "n": "n=4"}]


def test_an_unknown_kind_is_an_error() -> None:
    rows = [{"model": "a", "panel": "", "kind": "new", "n": 1}]
    with pytest.raises(KeyError, match="new"):
        stacked_shares(rows, kinds={"right": "#000000"}, title="share")


def test_a_forest_is_symmetric_around_zero() -> None:
    rows = [
        {"model": "a", "panel": "E1", "difference": -0.4, "low": -0.7, "high": -0.1,
         "is_clear": True, "description": "a"},
        {"model": "b", "panel": "E1", "difference": 0.1, "low": None, "high": None,
         "is_clear": False, "description": "b"},
    ]  # fmt: skip
    rows.append({**rows[1], "model": "c", "difference": 0.0, "is_best": True})
    spec = forest(rows, title="difference")
    zero, intervals = rows_of(spec, "rule")
    assert zero == [{"at": 0}]
    assert [row["name"] for row in intervals] == ["a"]
    assert [row["test"] for row in rows_of(spec, "point")[0]] == [CLEAR, OPEN]
    assert [row["name"] for row in rows_of(spec, "text")[0]] == ["c"]
    (scale,) = {str(layer["encoding"]["x"]["scale"]) for layer in spec["concat"][0]["layer"]}
    assert "[-1.0, 1.0]" in scale


@pytest.mark.parametrize(
    ("reach", "ends"), [(1.0, 1.0), (0.31, 0.4), (0.42, 0.5), (0.5, 0.5), (20.3, 40.0), (0.0, 1.0)]
)
def test_a_forest_has_five_round_ticks_each_with_a_label(reach: float, ends: float) -> None:
    row = {"model": "a", "panel": "E1", "difference": reach, "low": None, "high": None,
           "is_clear": True, "description": "a"}  # fmt: skip
    x = forest([row], title="difference")["concat"][0]["layer"][0]["encoding"]["x"]
    assert x["scale"]["domain"] == pytest.approx([-ends, ends])
    assert x["axis"]["values"] == pytest.approx([-ends, -ends / 2, 0, ends / 2, ends])


@pytest.mark.parametrize("spacing", ["linear", "log", "ordinal"])
def test_curves_leave_the_undefined_out(spacing: Any) -> None:
    rows = [
        {"model": f"m{i}", "panel": "E1", "value": value, "estimate": estimate, "low": 0.1,
         "high": 0.9, "description": ""}
        for i in range(MOST_WITH_INTERVALS + 1)
        for value, estimate in ((1.0, 0.5), (10.0, None))
    ]  # fmt: skip
    spec = curves(rows, title="t", values=[1.0, 10.0], spacing=spacing)
    assert {row["value"] for rows in rows_of(spec, "line") for row in rows} == {1.0}
    few = curves(rows[:2], title="t", values=[1.0, 10.0], spacing=spacing)
    filters = [str(layer.get("transform")) for layer in few["concat"][0]["layer"]]
    assert "isValid(datum.low)" in filters[0]
    assert "isValid" not in str(spec), "too many models for intervals"


def test_a_heat_map_keeps_the_order_it_is_given() -> None:
    rows = [
        {"model": "a", "panel": panel, "column": "E1", "value": None, "label": "–",
         "description": ""}
        for panel in ("TSA", "CAAL")
    ]  # fmt: skip
    spec = heat_map(rows, columns=("E2", "E1"), title="share")
    assert [panel["title"]["text"] for panel in spec["concat"]] == ["TSA", "CAAL"]
    assert spec["concat"][0]["encoding"]["x"]["scale"]["domain"] == ["E2", "E1"]


def test_times_of_zero_have_a_place_on_a_logarithmic_axis() -> None:
    quantiles = {"p5_s": 0.0, "p25_s": 0.0, "p50_s": 0.5, "p75_s": 1.0, "p95_s": 2.0}
    spec = latency([{"model": "x/a", "n": 3, **quantiles}])
    (row,) = rows_of(spec, "bar")[0]
    assert row["p5_s"] > 0
    assert "median 0.5 s" in row["description"]


def test_pace_spans_its_bins() -> None:
    rows = [{"minute": 2.0, "width_s": 30, "model": "x/a", "per_minute": 14.0}]
    (bar,) = rows_of(pace(rows), "bar")[0]
    assert (bar["since"], bar["until"], bar["name"]) == (120.0, 150.0, "a")


@pytest.mark.parametrize(
    ("minute", "unit"), [(0, "seconds"), (3, "minutes"), (181, "hours"), (12_000, "days")]
)
def test_pace_counts_in_a_unit_that_people_read(minute: float, unit: str) -> None:
    rows = [{"minute": minute, "width_s": 30, "model": "x/a", "per_minute": 14.0}]
    x = pace(rows)["encoding"]["x"]
    assert x["axis"]["title"] == f"{unit} since the first ask"


def test_models_under_an_axis_are_named_without_their_provider_and_words_stay_whole() -> None:
    models = ["own", "openrouter/lab/a-long-name", "openrouter/lab/another-name", "lab/c", "lab/d"]
    rows = [
        {"model": "lab/c", "panel": panel, "value": value, "estimate": 0.5, "low": None,
         "high": None, "description": value}
        for panel in ("one", "two", "three", "four")
        for value in models
    ]  # fmt: skip
    spec = curves(rows, title="partner", values=models, spacing="nominal")
    (shown, *_) = (one for one in rows_of(spec, "point") if one)
    labels = [row["value"] for row in shown]
    assert labels[0] == "own"
    assert not any("openrouter" in label for label in labels)
    assert all(part in " another- a-long- " or part in ("own", "name", "c", "d", "long-", "a-")
               for label in labels for part in label.split("\n"))  # fmt: skip
    # As wide as the page at most.
    assert spec["columns"] * max(panel["width"] for panel in spec["concat"]) <= 960
