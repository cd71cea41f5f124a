"""YAML comes out as plain data or not at all."""

from typing import Any

import pytest

from mirror_ray.errors import UnfitError
from mirror_ray.plain_yaml import MOST_LEVELS, read_yaml
from mirror_ray.untrusted import MAX_INT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("7", 7),
        ("007", 7),
        ("1_000", 1000),
        ("0x1f", 31),
        ("1e3", 1000.0),
        ("-1.5e-3", -0.0015),
        (str(MAX_INT), MAX_INT),
        ("yes", True),
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
        ("a: {b: 1, b: 2}", "a.b", "duplicate key b"),
        ("a: {1: 2}", "a", "the key 1"),
        ("a: &x [*x]", "a.0", "before the end"),
        ('a: "\\e"', "a", "U+001B"),
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
