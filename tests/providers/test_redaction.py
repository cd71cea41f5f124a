"""No secret outlives redaction."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mirror_ray.providers.redaction import one_line, redact

KEY = "local-0123456789"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Incorrect API key provided: sk-proj-abc123def456.", "Incorrect API key provided: "),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer [key removed]"),
        ('{"authorization": "Basic dXNlcjpwYXNz"}', '{"authorization": "Basic [key removed]"}'),
        ("x-api-key=whatever, 401", "x-api-key=[key removed], 401"),
        ("GET /v1?key=AIzaSyA123456&alt=sse", "GET /v1?key=[key removed]&alt=sse"),
        ("AIzaSyA1234567 is not valid", "[key removed] is not valid"),
        ("gsk_abcdef123 and xai-abcdef123", "[key removed] and [key removed]"),
        (f"who is {KEY}?", "who is [key removed]?"),
    ],
)
def test_what_looks_like_a_key_goes(told, kept):
    cleaned = redact(told, KEY)
    assert cleaned.startswith(kept)
    assert redact(cleaned, KEY) == cleaned


@pytest.mark.parametrize(
    "told", ["task-specific risk-free disk", "Rate limit reached for gpt-5.1-mini", "api key"]
)
def test_plain_words_stay(told):
    assert redact(told, None) == told


_PIECES = st.text(max_size=30)


@given(_PIECES, st.text(min_size=4, max_size=60), _PIECES)
@example("Authorization: Bearer ", KEY, "")
@example("", "k removed", "")
def test_the_key_itself_never_stays(before, key, after):
    pieces = redact(before + key + after, key).split("[key removed]")
    assert not any(key in piece for piece in pieces)


def test_one_line_is_redacted_before_it_is_cut():
    line = one_line("x" * 290 + "\n" + KEY + "\n", KEY)
    assert len(line) == 300
    assert "local" not in line
    assert "\n" not in line
