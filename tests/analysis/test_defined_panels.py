"""Panels in which nothing is defined are named, not drawn."""

from mirror_ray.analysis.report.defined_panels import defined_panels


def test_an_undefined_panel_is_named_and_left_out() -> None:
    rows = [
        {"panel": "E1", "value": 0.0},
        {"panel": "E1", "value": None},
        {"panel": "E2", "value": None},
    ]
    kept, said = defined_panels(rows, "value")
    assert kept == rows[:2]
    assert said == " Not drawn, because nothing in it is defined: E2."
    assert defined_panels(kept, "value") == (kept, "")


def test_where_nothing_is_defined_all_panels_say_so() -> None:
    rows = [{"panel": "E1", "value": None}]
    assert defined_panels(rows, "value") == (rows, "")
