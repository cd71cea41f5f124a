"""Every reader of text from outside, on any text: it says what it says of others, and never fails.

What it may raise stands beside it in `support.text_readers`. Of a text that UTF-8 can hold nothing
is read that it cannot, since a record would not take it.
"""

import json
from dataclasses import fields, is_dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.each_case import each
from support.text_reader import TextReader
from support.text_readers import READERS
from support.whole import IS_WHOLE, examples
from support.worst_texts import PIECES, repeated

_NUMBERS = (
    *("1" * 5_000, "9" * 309, "-" + "0" * 9_000, "1e999999", "1e-999999", "9e308", "1e400%", "-0"),
    *(str(10**400), "1" * 4_301 + ".5", "." * 3_000 + "1", "1,111" * 900, "٣", "𝟗𝟗", "²", "½", "Ⅷ"),
    *("1/0", "0/0", "1 1/0", f"1/{'9' * 4_400}", f"{'9' * 400}/3 kg", "1e300 weeks 1e300 days"),
    *(
        "9**9**9",
        "9^9^9^9",
        "0**-1",
        "(-8)**0.5",
        "1%0",
        "sqrt(-1)",
        "round(1e308*10)",
        "1e308 * 10",
    ),
    *("25:61", "24:59 pm", "0 am", "12:3٣", "NaN", "inf", "-inf", "0x10", "1_000", "１２"),
    *("99999-99-99T99:99:99Z", "Mon, 99 Foo 99999 99:99:99 GMT", "0001-01-01T00:00:00+23:59"),
)
_NESTED = (
    *("(" * 190 + "1" + ")" * 190, "-" * 199, "abs(" * 49 + "1" + ")" * 49, "2^" * 99 + "2"),
    *("[" * 20_000, '{"a":' * 5_000, "<think>" * 3_000, "</think>" * 3_000, "```" * 5_000),
    *('{"action":' + "[" * 5_000 + "]" * 5_000 + "}", '{"reasoning":["' + "\\ud800" + '"]}'),
    *('["a b\\ud800", "c d"]', '{"action":' + "1" * 5_000 + "}", '{"action":NaN,"summary":1e999}'),
    *(
        '{"summary":{"a":' * 400 + "1" + "}" * 800,
        "notes=" + '{"walls":' * 3_000,
        'notes={"pose":1}',
    ),
)
_ANSWERED = (
    "ANSWER: {}\nBET: {}\nCONFIDENCE: {}",
    "CHOICE: A\nANSWER: {}",
    "APPROACH: {}\nSCORE: {}",
    "[USE_TOOL: calculator | {}]\nANSWER: [USE_TOOL: calculator | {}]",
    "PART 2\nANSWER: {}",
    "The sum of {} and {} is {}.",
    'retryDelay": "{}s" try again in {}s',
    "from 1-{}: {}",
    "Please write me a story in exactly {} sentences",
    "Position: x={}, y={}; heading={} degrees. Steps remaining: {}",
    "ANSWER {}",
)

_any_text = st.text(st.characters(codec=None), max_size=60)
_pieces = st.sampled_from(PIECES)
_repeated = st.builds(repeated, _pieces, st.integers(1, 3_000))
_joined = st.lists(_pieces | _repeated | _any_text, max_size=8).map("".join)
_numbers = st.sampled_from(_NUMBERS) | st.floats().map(str) | st.integers().map(str)
_answered = st.builds(
    lambda form, number: form.replace("{}", number), st.sampled_from(_ANSWERED), _numbers
)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _any_text | _numbers,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_any_text, inner, max_size=3),
    max_leaves=6,
)
_objects = st.dictionaries(
    st.sampled_from(["view-description", "reasoning", "action", "summary", "selected_cube"])
    | st.sampled_from(["identification", "View Description", "left", "right", "steps", "walls"]),
    _json | st.sampled_from(["w", "done", "red", "none", ["red"], [" grey "]]),
    max_size=7,
)
_near_misses = st.builds(
    lambda value, ensure_ascii, cut, more: (
        f"notes={json.dumps(value, ensure_ascii=ensure_ascii)}"[6 * (cut % 2) :][: cut * 8] + more
    ),
    _objects | _json,
    st.booleans(),
    st.integers(0, 60),
    _joined,
)
_texts = st.one_of(
    _any_text, _joined, _answered, _near_misses, st.sampled_from(_NESTED), st.sampled_from(_NUMBERS)
)


IN_TURNS = 1 if IS_WHOLE else 16
"""Of the fixed texts `make test` gives a reader one in so many, and the next reader the next ones:
readers share what they look with, and each text goes to many of them."""


@each(("turn", "reader"), enumerate(READERS))
def test_no_text_is_too_much(turn: int, reader: TextReader) -> None:
    for text in (*_NESTED, *_NUMBERS)[turn % IN_TURNS :: IN_TURNS]:
        _read(reader, text)
    for n, number in list(enumerate(_NUMBERS))[turn % IN_TURNS :: IN_TURNS]:
        for form in (*_ANSWERED[n % 4 :: 4], _ANSWERED[0]):
            _read(reader, form.replace("{}", number))


@each("reader", READERS)
def test_any_text_is_read(reader: TextReader) -> None:
    @settings(
        max_examples=examples(3, 15),
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(_texts)
    def check(text: str) -> None:
        _read(reader, text)

    check()


def _read(reader: TextReader, text: str) -> None:
    try:
        read = reader.read(text)
    except reader.raises:
        return
    if _is_encodable(text):
        assert all(map(_is_encodable, _texts_in(read))), f"{text!r} read as {read!r}"


def _texts_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in _texts_in(one)]
    if isinstance(value, list | tuple | set):
        return [text for one in value for text in _texts_in(one)]
    if is_dataclass(value):
        return [text for one in fields(value) for text in _texts_in(getattr(value, one.name))]
    return _texts_in(dict(value)) if hasattr(value, "model_fields_set") else []  # type: ignore[call-overload]


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)
