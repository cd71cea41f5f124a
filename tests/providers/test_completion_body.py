"""Whatever JSON comes, litellm reads plain values; an honest reply stays as it is."""

import json
from math import isfinite

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mirror_ray.providers.completion_body import CONTENT, plain_body
from support.hostile_completions import HONEST, ODD, with_odd

_JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(2**80)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)
_NAMES = st.sampled_from(
    [
        *("id", "model", "choices", "message", "content", "usage", "error", "tool_calls", "type"),
        *("text", "thinking", "prompt_tokens", "prompt_tokens_details", "cost", "function"),
        *("finish_reason", "index", "reasoning_content", "refusal", "created", "cached_tokens"),
    ]
)
_COMPLETION = st.recursive(
    _JSON,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(_NAMES, inner, max_size=6)
    ),
    max_leaves=30,
)


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for one in value for leaf in leaves(one)]
    return [value]


@given(
    st.fixed_dictionaries({"choices": _COMPLETION}, optional={"usage": _COMPLETION, "error": _JSON})
)
@example(json.loads(with_odd("usage", {f"{i}_tokens": "x" * 1000 for i in range(1000)})))
@example({"choices": [{"message": {"content": [{"type": "text", "text": [[[5]]]}]}}]})
def test_a_completion_is_plain_and_is_left_alone_the_second_time(data):
    body, ignored = plain_body(json.dumps(data).encode(), 100)
    plain = json.loads(body)
    assert all(isfinite(leaf) for leaf in leaves(plain) if isinstance(leaf, float))
    assert all(abs(leaf) < 2**63 for leaf in leaves(plain) if isinstance(leaf, int))
    assert len(plain["choices"]) <= 1
    assert all(len(name) < 200 for name in ignored)
    for choice in plain["choices"]:
        assert isinstance(choice["message"]["content"], (str, type(None)))
    usage = plain.get("usage", {})
    counts = [leaf for leaf in leaves(usage) if leaf is not None]
    assert all(isinstance(count, (int, float)) and count >= 0 for count in counts)
    assert plain_body(body, 100) == (body, ())


@given(_JSON)
def test_other_shapes_lose_impossible_numbers_only(data):
    written = json.dumps({"candidates": data})
    body, ignored = plain_body(written.encode(), 10**6)
    odd = [
        leaf
        for leaf in leaves(data)
        if (isinstance(leaf, float) and not isfinite(leaf))
        or (isinstance(leaf, int) and abs(leaf) >= 2**63)
    ]
    if odd:
        json.dumps(json.loads(body), allow_nan=False)
        assert ignored == ("a number out of bounds",)
    else:
        assert (body, ignored) == (written.encode(), ())


@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(b"9" * 100_000)
def test_what_is_no_json_is_quoted_in_short(data):
    body, _ = plain_body(data, 100)
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        assert body == data[:100]


def test_an_honest_completion_keeps_its_values():
    body, ignored = plain_body(json.dumps(HONEST).encode(), 100)
    plain = json.loads(body)
    assert ignored == ()
    for name in ("id", "created", "model", "system_fingerprint", "usage"):
        assert plain[name] == HONEST[name]
    assert plain["choices"][0]["message"] == HONEST["choices"][0]["message"]


def test_thoughts_in_parts_are_kept_apart():
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    content = [thinking, {"type": "text", "text": "yes"}]
    body, ignored = plain_body(with_odd("choices.0.message", {"content": content}).encode(), 100)
    message = json.loads(body)["choices"][0]["message"]
    assert (message["content"], message["reasoning_content"], ignored) == ("yes", "hm", ())


def test_what_was_said_is_missed_where_it_is_no_text():
    for odd in ("number", "true", "list", "mapping", "NaN", "nested"):
        body, ignored = plain_body(with_odd("choices.0.message.content", ODD[odd]).encode(), 100)
        assert json.loads(body)["choices"][0]["message"]["content"] in {None, ""}
        assert ignored == (CONTENT,)


THOUGHTS = "hm, hm"


@pytest.mark.parametrize(
    "message",
    [
        {"reasoning_content": THOUGHTS},
        {"reasoning": THOUGHTS},
        {"reasoning": {"text": THOUGHTS}},
        {"reasoning_content": ["hm, ", "hm"]},
        {"reasoning_details": [{"type": "reasoning.text", "text": THOUGHTS}]},
        {"reasoning_details": [{"type": "reasoning.summary", "summary": THOUGHTS}]},
        {"thinking": THOUGHTS},
        {"thinking_blocks": [{"type": "thinking", "thinking": THOUGHTS, "signature": "s"}]},
        {"reasoning_text": THOUGHTS},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHTS}]}]},
        {"content": [{"type": "reasoning", "reasoning": THOUGHTS}]},
        {"content": [{"type": "reasoning", "text": THOUGHTS}]},
    ],
)
def test_thoughts_are_found_wherever_servers_put_them(message):
    body = json.dumps({"choices": [{"message": {"content": None, **message}}]}).encode()
    plain, ignored = plain_body(body, 100)
    read = json.loads(plain)["choices"][0]["message"]
    assert (read["reasoning_content"], read["content"] or "", ignored) == (THOUGHTS, "", ())


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "output_text", "text": "yes"}],
        [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}],
        ["y", "es"],
        {"type": "text", "text": "yes"},
        {"parts": [{"text": "yes"}]},
    ],
)
def test_an_answer_in_parts_is_an_answer(content):
    plain, ignored = plain_body(
        json.dumps({"choices": [{"message": {"content": content}}]}).encode(), 100
    )
    assert json.loads(plain)["choices"][0]["message"]["content"] == "yes"
    assert ignored == ()


def test_a_field_with_two_values_is_left_out_and_one_given_twice_is_kept():
    choice = b'{"message": {"content": "yes"}, "message": {"content": "yes"}}'
    usage = (
        b'{"prompt_tokens": 7, "prompt_tokens": 7, "completion_tokens": 1, "completion_tokens": 9}'
    )
    body = b'{"id": "a", "choices": [' + choice + b'], "usage": ' + usage + b', "id": "b"}'
    plain, ignored = plain_body(body, 100)
    read = json.loads(plain)
    assert read["choices"][0]["message"]["content"] == "yes"
    assert read["usage"]["prompt_tokens"] == 7
    assert read["usage"].get("completion_tokens") is None
    assert {"usage.completion_tokens"} <= set(ignored)
    twice = b'{"choices": [{"message": {"content": "yes", "content": "no"}}]}'
    assert CONTENT in plain_body(twice, 100)[1]
