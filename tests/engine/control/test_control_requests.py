"""What a control socket takes, and that nothing else gets past its reader."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.core.errors import SweepError
from mirror_ray.engine.control.requests import read_request, request_of_words
from mirror_ray.engine.limiter.live_settings import KeyChange


def read(*words):
    return read_request(json.dumps(request_of_words(words)).encode())


def test_words_of_a_command_line_are_requests():
    assert read("pause").command == "pause"
    limits = read("limits", "openai/gpt-5.1", "rpm=100", "concurrency=4")
    assert (limits.model, limits.change) == ("openai/gpt-5.1", KeyChange(rpm=100.0, concurrency=4))
    more, less, whole = read("budget", "+5"), read("budget", "-0.5"), read("budget", "3")
    assert [(one.usd, one.is_relative) for one in (more, less, whole)] == [
        (5.0, True),
        (-0.5, True),
        (3.0, False),
    ]
    assert read("requeue", "failed").command == "requeue"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("paus",),
        ("pause", "now"),
        ("limits", "a"),
        ("limits", "a", "rpm=0"),
        ("limits", "a", "rpm=nan"),
        ("limits", "a", "rpm=inf"),
        ("limits", "a", "concurrency=1.5"),
        ("limits", "a", "rpd=5"),
        ("budget", "much"),
        ("budget", "1e400"),
        ("requeue", "all"),
    ],
)
def test_other_words_are_refused_with_what_is_allowed(words):
    with pytest.raises(SweepError) as refused:
        read(*words)
    assert "budget +USD" in refused.value.allowed or "number" in refused.value.allowed


@given(st.binary(max_size=200))
def test_any_bytes_are_a_request_or_refused(line):
    try:
        read_request(line)
    except SweepError:
        return


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9) | st.integers(),
        lambda one: st.lists(one) | st.dictionaries(st.text(max_size=9), one),
        max_leaves=5,
    ),
    st.sampled_from(["state", "limits", "budget", "requeue", "\x1b[2J"]),
    st.sampled_from(["model", "rpm", "usd", "by_usd", "what", "command"]),
)
def test_any_values_are_a_request_or_refused_in_one_printable_line(value, command, key):
    line = json.dumps({"command": command, "model": "a", key: value}).encode()
    got = "read"
    try:
        read_request(line)
    except SweepError as error:
        got = error.got
    assert got.isprintable()
