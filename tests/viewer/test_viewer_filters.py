"""Filters and orders of a list: typed values, or an address that is refused."""

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.viewer.filters import SORTED_BY, Filters, Order

HOSTILE = "x') or 1=1; copy (select 1) to 'x' --"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("temperature", value) for value in ("hot", "nan", "inf", "1e999", HOSTILE)],
        *[(name, HOSTILE) for name in ("verdict", "outcome", "id", "scene", "differ", "sort")],
        *[("differ", value) for value in ("a", "a.b.c", ".b", "a.", "a.b'")],
        ("id", "0" * 17),
        ("model", "m" * 1_001),
        ("sort", "--cost"),
    ],
)
def test_value_of_another_kind_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(SweepError, match=f"address: {name}"):
        (Order if name == "sort" else Filters).of({name: value})


def test_no_value_becomes_part_of_the_sql() -> None:
    filters = Filters.of({"model": HOSTILE, "condition": HOSTILE, "model_has": HOSTILE})
    sql, values = filters.condition_sql()
    assert HOSTILE not in sql
    assert set(values.values()) == {HOSTILE}


def test_temperatures_are_numbers_or_the_provider_s_own() -> None:
    assert Filters(temperature="0.20").condition_sql()[1] == {"temperature": 0.2}
    assert Filters(temperature="default").condition_sql()[1] == {"temperature": None}


def test_a_second_click_on_a_heading_turns_the_order() -> None:
    by_cost = Order().turned("cost")
    assert (by_cost.text, by_cost.turned("cost").text) == ("cost", "-cost")
    assert by_cost.turned("cost").turned("cost") == by_cost
    for name in SORTED_BY:
        assert Order.of({"sort": f"-{name}"}).sql.endswith("desc nulls last, place")
