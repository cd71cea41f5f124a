"""No secret outlives redaction, however it is written; and words stay words."""

import base64
import html
import json
import urllib.parse
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.redaction import Secrets, secret_values, secrets_in, secrets_of

KEY = "local-0123456789"
KEYS = Secrets([KEY])
AWKWARD = 'p@ss/w"rd+ key?&<ü>=%'
MODEL = Model("m", "hosted", "openai/m", Limits("m"))


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
    cleaned = KEYS.redact(told)
    assert cleaned.startswith(kept)
    assert KEYS.redact(cleaned) == cleaned


@pytest.mark.parametrize(
    "told", ["task-specific risk-free disk", "Rate limit reached for gpt-5.1-mini", "api key"]
)
def test_plain_words_stay(told):
    assert Secrets().redact(told) == told


_PIECES = st.text(max_size=30)


@given(_PIECES, st.text(min_size=4, max_size=60), _PIECES)
@example("Authorization: Bearer ", KEY, "")
@example("", "k removed", "")
def test_the_key_itself_never_stays(before, key, after):
    pieces = Secrets([key]).redact(before + key + after).split("[key removed]")
    assert not any(key in piece for piece in pieces)


WRITTEN = {
    "plain": lambda key: key,
    "JSON": lambda key: json.dumps(key)[1:-1],
    "HTML": html.escape,
    "URL": lambda key: urllib.parse.quote(key, safe=""),
    "URL path": urllib.parse.quote,
    "form": urllib.parse.quote_plus,
    "hex": lambda key: key.encode().hex(),
    "HEX": lambda key: key.encode().hex().upper(),
    "every byte": lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
    "base64": lambda key: base64.b64encode(key.encode()).decode().rstrip("="),
    "URL-safe base64": lambda key: base64.urlsafe_b64encode(key.encode()).decode().rstrip("="),
}


@pytest.mark.parametrize("way", WRITTEN)
@given(key=st.one_of(st.just(AWKWARD), st.text(min_size=8, max_size=60)), before=_PIECES)
def test_every_way_of_writing_a_key_is_known(way, key, before):
    written = WRITTEN[way](key)
    # What is left of base64 is less than the key's last byte.
    own = written[: 8 * len(key.encode()) // 6] if "base64" in way else written
    cleaned = Secrets([key]).removed_from(f"{before} {written}!")
    assert not any(own in piece for piece in cleaned.split("[key removed]"))


_BYTES = st.binary(max_size=9)


@given(_BYTES, st.text("abcXYZ019_-", min_size=8, max_size=40), _BYTES)
@example(b"user:", KEY, b"")
@example(b'{"a": "', KEY, b'"}')
def test_a_key_within_base64_is_known_wherever_it_stands(before, key, after):
    """At most the letters that it shares with its neighbours stay."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        written = encode(before + key.encode() + after).decode()
        cleaned = Secrets([key]).removed_from(written)
        assert "[key removed]" in cleaned
        first, last = 8 * len(before) // 6 + 1, 8 * (len(before) + len(key)) // 6
        assert written[first:last] not in cleaned


@pytest.mark.parametrize("short", ["abc", "test", "secret1"])
def test_a_short_key_does_not_break_what_a_model_says(short):
    words = "The test of the alphabet begins with abc, which is no secret1 at all."
    assert Secrets([short]).removed_from(words) == words
    assert (short in Secrets([short]).redact(words)) is (len(short) < 4)


def test_each_of_a_thousand_keys_goes_however_it_is_written():
    keys = [f"key/{number:04}+of=a<model>" for number in range(1000)]
    many = Secrets(keys)
    for key in (keys[0], keys[500], keys[-1]):
        for way in (key, urllib.parse.quote(key, safe=""), html.escape(key), key.encode().hex()):
            assert many.removed_from(f"my key is {way}, and") == Secrets([key]).removed_from(
                f"my key is {way}, and"
            )
            assert "key removed" in many.removed_from(way)
    plain = "key/ of the models " * 100
    assert many.removed_from(plain) == plain
    assert many.removed_from("short") == "short"


def test_ordinary_replies_stay_as_they_are():
    words = json.dumps({"answer": "the cube is at (3, 4)", "why": "sk-etched “lines” é \ud800"})
    assert KEYS.removed_from(words) == words
    assert Secrets([""]).redact("a b") == "a b"


def test_one_line_is_redacted_before_it_is_cut():
    line = KEYS.one_line("x" * 290 + "\n" + KEY + "\n")
    assert len(line) == 300
    assert "local" not in line
    assert "\n" not in line


@pytest.mark.parametrize("before", range(5980, 6001))
def test_no_beginning_of_a_key_stays_where_a_long_text_is_cut(before):
    line = KEYS.one_line(" " * before + KEY + " " * 1000)
    assert "local" not in line
    assert "loc" not in KEYS.one_line("a" + " " * before + KEY)


def test_one_line_prints_nothing_that_acts_on_a_terminal():
    line = KEYS.one_line("\x1b[31mred\x00 \u202e \ud800 é")
    assert line.isprintable()
    assert line.endswith("é")


def test_no_value_is_represented():
    assert KEY not in repr(KEYS)
    assert KEY not in str(vars(Secrets())) + repr(MODEL)


def test_whose_values_are_secret():
    model = replace(
        MODEL,
        api_key_env="MY_KEY",
        needs_env=(("CLOUD_SECRET", "CLOUD_REGION"),),
        extra_headers_env={"X-Auth": "MY_HEADER"},
        extra={"extra_headers": {"X-Title": "our benchmark"}},
        base_url="http://us%65r:pass-w0rd@host/v1?sig=query-value",
    )
    environ = {
        "MY_KEY": "key-value\n",
        "CLOUD_SECRET": "secret-value",
        "CLOUD_REGION": "us-east-1",
        "MY_HEADER": "header-value",
        "OTHER": "other-value",
    }
    secrets = "key-value secret-value header-value pass-w0rd query-value"
    others = "us-east-1 other-value our benchmark"
    known = secret_values([MODEL], environ)
    cleaned = secrets_of(model, environ, known).removed_from(f"{secrets} | {others}")
    assert cleaned == " ".join(["[key removed]"] * 5) + f" | {others}"


def test_what_an_environment_calls_a_secret_goes_from_a_programs_output():
    environ = {"HF_TOKEN": "house-0123", "TOKENIZERS_PARALLELISM": "false", "PLAIN": "plain-0123"}
    hidden = secrets_in({**environ, "WEIGHTS_STORE": "store-0123"}, ("WEIGHTS_STORE", "ABSENT"))
    told = "house-0123 store-0123 false plain-0123"
    assert hidden.redact(told) == "[key removed] [key removed] false plain-0123"
