"""Replies as models wrap, break and cut them off, and what may be read out of each."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from mirror_ray.reading.parsing import MAX_CHARS, MAX_REPAIR_CHARS, parse_object


class Verdict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    first_look: str = Field(alias="first-look")
    score: int


def coerce(found: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    adapted = dict(found)
    if isinstance(adapted.get("score"), str) and adapted["score"].isdecimal():
        adapted["score"] = int(adapted["score"][:9])
        return adapted, ("made 'score' a number",)
    return adapted, ()


def read(text: str, finish_reason: str | None = "stop") -> tuple[Any, str, tuple[str, ...]]:
    parsed = parse_object(text, Verdict, coerce, finish_reason=finish_reason)
    assert (parsed.value is None) == (parsed.status == "failed") == (parsed.problem is not None)
    return (
        parsed.value and (parsed.value.first_look, parsed.value.score),
        parsed.status,
        parsed.fixes,
    )


GOOD = '{"first-look": "a {b} \\"c\\"", "score": 3}'
VALUE = ('a {b} "c"', 3)
TAKEN = "took the object out of surrounding text"


@pytest.mark.parametrize(
    ("text", "status", "fixes"),
    [
        (GOOD, "strict", ()),
        (f"\n {GOOD}\n", "strict", ()),
        (f"```json\n{GOOD}\n```", "cleaned", ("removed the code fence",)),
        (f"```\n{GOOD}```", "cleaned", ("removed the code fence",)),
        (f"<think>{{draft}}</think>{GOOD}", "cleaned", ("removed thinking",)),
        (f"a swallowed opening tag</think>\n{GOOD}", "cleaned", ("removed thinking",)),
        (f"Sure! Here it is: {GOOD} Hope it helps.", "cleaned", (TAKEN,)),
        (f"The set {{red, blue}}, so: {GOOD}", "cleaned", (TAKEN,)),
        (f"An open brace {{ and then {GOOD}", "cleaned", (TAKEN,)),
        (f"[{GOOD}]", "cleaned", (TAKEN,)),
        (f'{{"answer": {GOOD}}}', "cleaned", ()),
        (f'{{"first-look": "draft", "score": 1}}\n{GOOD}', "cleaned", (TAKEN,)),
        (f'{GOOD}\nAn example: {{"unrelated": 1}}', "cleaned", (TAKEN,)),
        (GOOD.replace("3}", '"3"}'), "coerced", ("made 'score' a number",)),
        (GOOD.replace("3}", "3,}"), "repaired", ("repaired the JSON",)),
        (GOOD[:-1], "repaired", ("repaired the JSON",)),
        (
            "{'first-look': 'a {b} \"c\"', 'score': '3'}",
            "repaired",
            ("repaired the JSON", "made 'score' a number"),
        ),
    ],
)
def test_what_is_read_and_how(text: str, status: str, fixes: tuple[str, ...]) -> None:
    assert read(text) == (VALUE, status, fixes)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it holds no JSON object with the required keys"),
        (f"<thinking>never closed {GOOD}", "it ends within its thinking"),
        ("I cannot tell.", "it holds no JSON object with the required keys"),
        ('{"other": 1}', "it holds no JSON object with the required keys"),
        ('{"first-look": "x"}', '"score": Field required'),
        ('{"first-look": "x", "score": 1.5}', '"score": Input should be a valid integer'),
        ('{"first-look": "x", "score": 1, "more": 2}', '"more": Extra inputs are not permitted'),
        ('{"first-look": "unterminated', '"score": Field required'),
    ],
)
def test_what_fails_says_why(text: str, problem: str) -> None:
    parsed = parse_object(text, Verdict, coerce, finish_reason="stop")
    assert (parsed.status, parsed.problem) == ("failed", problem)


def test_a_cut_off_reply_fails_even_when_it_looks_whole() -> None:
    parsed = parse_object(GOOD, Verdict, coerce, finish_reason="length")
    assert (parsed.status, parsed.problem) == (
        "failed",
        "the reply was cut off by the length limit",
    )


def test_a_thought_draft_is_never_the_answer() -> None:
    assert read(f"<think>maybe {GOOD}</think> I would rather not say.")[1] == "failed"


def test_of_a_long_text_the_end_is_read() -> None:
    text = "thinking aloud. " * MAX_CHARS + GOOD
    value, status, fixes = read(text)
    assert (value, status) == (VALUE, "cleaned")
    assert fixes[0] == f"kept the last {MAX_CHARS} characters"


def test_the_braces_of_formulas_do_not_exhaust_the_search() -> None:
    assert read("\\frac{a}{b} " * 4_000 + GOOD) == (VALUE, "cleaned", (TAKEN,))


def test_no_repair_beyond_its_bound() -> None:
    broken = '{"first-look": "%s", "score": 3,}'
    assert read(broken % "x")[1] == "repaired"
    assert read(broken % ("x" * MAX_REPAIR_CHARS))[1] == "failed"


def test_half_an_emoji_cannot_reach_a_record() -> None:
    value, status, fixes = read('so: {"first-look": "a\\ud83db", "score": 3}')
    assert (value, status) == (("a\ufffdb", 3), "cleaned")
    assert fixes == (TAKEN, "replaced broken characters")


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 13_000,
        "{" * MAX_CHARS,
        '{"' * 32_000,
        "<think>" * 9_000,
        "</think>" * 8_000,
        "`" * MAX_CHARS,
        '{"score": ' + "1" * 6_000 + "}",
        '{"score": ' + "[" * 900 + "]" * 900 + "}",
        '{a: "' * 1_000,
        '{"first-look": "x", "score": NaN}',
        '{"first-look": "\ud83d", "score": 1}',
        "\x00{\x00}",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_is_survived(text: str) -> None:
    read(text)


# Pieces that steer the reader into every branch, far more often than random text would.
PIECES = st.sampled_from(
    [
        *"{}\"':,[]\\ \n",
        *("\\ud83d", "```json\n", "\n```", "<think>", "</think>", "NaN", "1e999"),
        *("score", '"score": 3', '"first-look": "x"', GOOD),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
@settings(max_examples=300)
def test_no_text_raises(text: str) -> None:
    read(text)


PROSE = st.text(st.characters(exclude_characters="{}<>`[]\"'\\/", exclude_categories=["Cs"]))
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
# An answer that quotes a thinking tag loses what precedes it: the one ambiguity the policy accepts.
QUIET = WORDS.filter(lambda text: "think" not in text.lower())


@given(WORDS, st.integers(-(2**60), 2**60), st.booleans())
@settings(max_examples=100)
def test_a_valid_object_is_read_strictly(look: str, score: int, ascii_only: bool) -> None:
    text = json.dumps({"first-look": look, "score": score}, ensure_ascii=ascii_only)
    assert read(text) == ((look, score), "strict", ())


@given(QUIET, st.integers(-(2**60), 2**60), PROSE, PROSE, PROSE)
@settings(max_examples=200)
def test_a_valid_object_is_read_out_of_any_wrapping(
    look: str, score: int, thought: str, before: str, after: str
) -> None:
    body = json.dumps({"first-look": look, "score": score}, ensure_ascii=False)
    for text in (
        f"<think>{thought}</think>{body}",
        f"<think>{thought} {body.replace(str(score), '17')}</think>\n```json\n{body}\n```",
        f"{before}\n```json\n{body}\n```\n{after}",
        f"Well, {before} {body} {after}",
    ):
        value, status, _ = read(text)
        assert (value, status) == ((look, score), "cleaned")
