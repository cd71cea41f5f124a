"""Values in words: nothing is lost, undefined is a dash, and no reply can break the page."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.viewer.words import indented, seconds, time, usd, value_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (True, "yes"),
        (0, "0"),
        (12_345, "12,345"),
        (0.1 + 0.2, "0.3"),
        (120.0, "120"),
        ([1, None], "1, –"),
        ([], "none"),
        ({"x_m": 1.5}, "x_m 1.5"),
        ("<b>", "<b>"),
    ],
)
def test_values_are_shown_in_few_digits(value, text):
    assert value_text(value) == text


def test_money_and_times_keep_what_is_unknown_unknown():
    assert (usd(None), usd(0.0), usd(0.00042), usd(12.345)) == ("–", "$0.00", "$0.00042", "$12.35")
    assert (seconds(None), seconds(0.0431), seconds(75.2)) == ("–", "0.043 s", "75 s")
    assert time("2026-01-02T03:04:05.678+00:00") == "2026-01-02 03:04:05 UTC"
    assert time(None) == time("") == "–"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_indented_json_says_the_same(value):
    text = indented(json.dumps(value))
    assert (text is None) == (not isinstance(value, dict | list))
    assert text is None or json.loads(text) == value


@given(st.text())
def test_any_reply_can_be_looked_at(reply):
    text = indented(reply)
    assert text is None or isinstance(text, str)


def test_a_deep_reply_makes_no_page_of_megabytes():
    deep = "[" * 900 + "1," * 20_000 + "1" + "]" * 900
    assert len(indented(deep) or "") <= 10 * len(deep)


@pytest.mark.parametrize("reply", ["[" * 100_000, "1" * 5_000, '{"a": 1e999}', "nul", ""])
def test_replies_at_the_edge_of_json_do_no_harm(reply):
    assert indented(reply) in (None, '{\n  "a": Infinity\n}')


def test_sentences_are_told_apart_where_words_have_commas() -> None:
    assert value_text(["red", "blue"]) == "red, blue"
    assert value_text(["A dog barks.", "It rains, too."]) == "A dog barks. · It rains, too."
