"""YAML comes out as plain data or not at all."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.errors import UnfitError
from mirror_ray.core.plain_yaml import MOST_LEVELS, plain_value, read_yaml, write_yaml
from mirror_ray.core.untrusted import MAX_INT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("7", 7),
        ("007", 7),
        ("010", 10),
        ("0o10", 8),
        ("0x1f", 31),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("0b11", "0b11"),
        ("0O10", "0O10"),
        ("-0x1f", "-0x1f"),
        ("685_230.15", "685_230.15"),
        ("190:20:30.15", "190:20:30.15"),
        ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        ("<<", "<<"),
        ("nan", "nan"),
        ("infinity", "infinity"),
        ("\N{FULLWIDTH DIGIT ONE}", "\N{FULLWIDTH DIGIT ONE}"),
        (
            "{on: 1, off: 2, y: 3, 1:30: 4, 1_0: 5, =: 6}",
            dict(zip(["on", "off", "y", "1:30", "1_0", "="], range(1, 7), strict=True)),
        ),
        (".5", 0.5),
        ("5.", 5.0),
        ("+12e03", 12000.0),
        ("null", None),
        ("Null", None),
        ("nUll", "nUll"),
        ("TRUE", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("on", "on"),
        ("Off", "Off"),
        ("no", "no"),
        ("y", "y"),
        ("{on: [finished]}", {"on": ["finished"]}),
        ("1e3", 1000.0),
        ("-1.5e-3", -0.0015),
        (str(MAX_INT), MAX_INT),
        ("yes", "yes"),
        ("'yes'", "yes"),
        ("2020-01-01", "2020-01-01"),
        ("=", "="),
        ("a: [1, {b: c}]", {"a": [1, {"b": "c"}]}),
        ("a: &x {b: 1}\nc: {<<: *x, d: 2}", {"a": {"b": 1}, "c": {"b": 1, "d": 2}}),
        ("{<<: [{a: 1, b: 1}, {b: 2, c: 2}], a: 3}", {"a": 3, "b": 1, "c": 2}),
    ],
)
def test_values_are_what_a_person_means(text: str, value: Any) -> None:
    found = read_yaml(text)
    assert found == value
    assert type(found) is type(value)


def test_what_an_alias_repeats_is_another_value() -> None:
    found: Any = read_yaml("a: &x [1]\nb: *x")
    found["b"].append(2)
    assert found["a"] == [1]


@pytest.mark.parametrize(
    ("text", "key", "got"),
    [
        ("a: {b: !!python/object:x {}}", "a.b", "the tag"),
        ("a: [1, 9223372036854775808]", "a.1", "9223372036854775808"),
        (f"a: {'9' * 5000}", "a", "5,000 digits"),
        ("a: .inf", "a", "not finite"),
        ("a: {b: 1, b: 2}", "a.b", "the key b a second time"),
        ("a: {1: 2}", "a", "the key 1"),
        ("a: &x [*x]", "a.0", "before the end"),
        ('a: "\\e"', "a", "U+001B"),
        ("a: 1 # seen\u2028b: 2", "", "U+2028"),
        ("a: 1 # seen\x85b: 2", "", "U+0085"),
        ("[" * 99, "0.0.0.0", f"more than {MOST_LEVELS} levels"),  # noqa: S104
    ],
)
def test_more_than_plain_data_is_refused_at_its_key(text: str, key: str, got: str) -> None:
    with pytest.raises(UnfitError) as caught:
        read_yaml(text)
    assert caught.value.key == key
    assert got in caught.value.got


def test_a_text_that_is_refused_is_not_repeated() -> None:
    with pytest.raises(UnfitError) as caught:
        read_yaml('api_key_env: "sk-secret\\0"')
    assert "sk-secret" not in caught.value.got


LOOK_ALIKES = [
    *("on", "yes", "y", "n", "true", "null", "~", "", "=", "<<", "010", "0o10", "0x1f", "0b11"),
    *("1:30", "1:30:20", "1_000", "1e3", "12e03", ".5", "5.", "-.5", "+1", ".inf", ".NaN", "1.5e3"),
    *(
        "2020-01-01",
        "2020-01-01 10:00:00",
        "a: b",
        "- a",
        "# a",
        "[a",
        "{a",
        "'",
        '"',
        "a\nb",
        " a ",
    ),
]


@pytest.mark.parametrize("in_one_line", [False, True])
def test_what_is_written_reads_back_under_both_versions(in_one_line: bool) -> None:
    data = {"texts": LOOK_ALIKES, **{f"key {one}": one for one in LOOK_ALIKES}}
    text = write_yaml(data, in_one_line=in_one_line)
    assert read_yaml(text) == data
    assert yaml.safe_load(text) == data


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INT, MAX_INT)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(categories=("L", "N", "P", "S", "Zs"), max_codepoint=0x2FF)),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN)
def test_any_plain_data_reads_back(data: object) -> None:
    assert read_yaml(write_yaml({"data": data})) == {"data": data}


@given(st.text(st.sampled_from("0123456789+-._:eExobinfaNtruyslj~"), max_size=8))
def test_an_unquoted_scalar_is_what_the_core_schema_says(text: str) -> None:
    found = plain_value(text)
    expected: type = str
    if text in ("", "~"):
        expected = type(None)
    elif text in ("true", "false"):
        expected = bool
    elif text.lstrip("+-").isdecimal() and text.count("+") + text.count("-") <= 1:
        expected = int
    if isinstance(found, str):
        assert found == text
    if expected is not str:
        assert type(found) is expected
