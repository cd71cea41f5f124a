"""A figure whose marks are data: which marks a row makes, and which are left out."""

import json
from typing import Any

import pytest

from mirror_ray.analysis.report.chart_file import drawn_chart, row_text

ROW = {
    "model": "lab/a",
    "condition": "E1",
    "metric": "seen",
    "estimate": 0.5,
    "ci_low": 0.25,
    "ci_high": 0.75,
    "n": 4,
    "temperature": 0.0,
    "variant": "paper",
}
SQUARES: dict[str, Any] = {
    "kind": "heat_map",
    "marks": {
        "column": "{metric}",
        "panel_if_several": "{condition}, {row:setting}",
        "description": "{model} {column}: {row:estimate}",
    },
    "names": {"column": {"seen": "saw it", "named": "named it"}},
    "title": "share",
}


def _said(chart: object) -> str:
    return json.dumps(chart, ensure_ascii=False)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{model}: {estimate:share}, {row:interval}", "lab/a: .50, .25–.75"),
        ("{n:number} of {n:03d}", "4 of 004"),
        ("{row:setting}", "temperature 0, paper"),
    ],
)
def test_a_template_is_filled_with_what_the_row_says(template: str, text: str) -> None:
    assert row_text(template, ROW) == text


def test_a_row_whose_text_is_not_listed_makes_no_mark() -> None:
    chart, also = drawn_chart(SQUARES, [ROW, {**ROW, "metric": "walked"}])
    assert "lab/a saw it: .50 (.25–.75), n = 4" in _said(chart)
    assert "walked" not in _said(chart)
    assert not also
    assert drawn_chart(SQUARES, [{**ROW, "metric": "walked"}]) == (None, "")


def test_panels_tell_settings_apart_if_there_are_several() -> None:
    one, _ = drawn_chart(SQUARES, [ROW])
    several, _ = drawn_chart(SQUARES, [ROW, {**ROW, "temperature": 0.7}])
    assert "E1, temperature" not in _said(one)
    assert "E1, temperature 0.7, paper" in _said(several)


def test_panels_without_a_value_are_named_in_place_of_drawn() -> None:
    undefined = {**ROW, "condition": "E2", "estimate": None}
    said = {**SQUARES, "skips_undefined": True}
    chart, also = drawn_chart(said, [ROW, undefined])
    assert "E2" not in _said(chart)
    assert also.endswith("E2.")
    assert drawn_chart(said, [undefined]) == (None, "")


def test_a_curve_of_one_value_is_not_drawn_where_two_are_asked_for() -> None:
    said = {
        "kind": "curves",
        "marks": {"value": "n", "description": ""},
        "title": "n",
        "spacing": "linear",
        "at_least": 2,
    }
    assert drawn_chart(said, [ROW]) == (None, "")
    chart, _ = drawn_chart(said, [ROW, {**ROW, "n": 8}])
    assert chart is not None


def test_the_darkest_colour_is_that_of_the_largest_value_that_is_known() -> None:
    said = {"kind": "heat_map", "title": "n", "most": "largest", "marks": {"column": "{n}"}}
    rows = [{**ROW, "estimate": None}, {**ROW, "estimate": 0.25, "n": 8}]
    chart, _ = drawn_chart(said, rows)
    assert "0.25" in _said(chart)
    assert drawn_chart(said, rows[:1])[0] is not None
