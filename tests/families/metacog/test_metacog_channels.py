"""What a reply says in each channel, however it is wrapped; nothing is imputed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.contract.family_files import axes_of
from mirror_ray.core.types import PARSE_STATUSES, Reply
from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.reading import MetacogReading, count_hedges

QUESTION = "Tom has 187 pencils and gives 49 away. How many are left?"
KEY = keys.number_key(138)


def heard(channel: str, said: str, finish: str = "stop") -> MetacogReading:
    return read(channel, Reply(said, finish_reason=finish), QUESTION, KEY)


def test_the_exact_format_is_strict() -> None:
    found = heard("wagering", "ANSWER: 138\nBET: 7")
    assert (found.status, found.parse_status) == ("ok", "strict")
    assert (found.answer, found.bet, found.signal) == ("138", 7, 7)


@pytest.mark.parametrize(
    "said",
    [
        "Let me see.\n**ANSWER:** 138\n**BET:** 7",
        "ANSWER: 138\nBET: 3\nOn reflection:\nANSWER: 138\nBET: [7]",
        "answer = 138\nbet = 7 points",
        "ANSWER: [your answer]\nANSWER: 138\nBET: 7/10",
        "ANSWER: 138, BET: 7",
        "**ANSWER:** 138 | **BET:** 7",
    ],
)
def test_a_wrapped_format_is_cleaned(said: str) -> None:
    found = heard("wagering", said)
    assert (found.status, found.parse_status) == ("ok", "cleaned")
    assert (found.answer, found.bet) == ("138", 7)


@pytest.mark.parametrize(
    ("said", "status", "answer"),
    [
        ("ANSWER: 138\nBET: 11", "out_of_range", "138"),
        ("ANSWER: 138\nBET: 0", "out_of_range", "138"),
        ("ANSWER: 138\nBET: -3", "out_of_range", "138"),
        ("ANSWER: 138\nBET: all of it", "unread", "138"),
        ("ANSWER: 138\nBET: 7-8", "unread", "138"),
        ("ANSWER: 138", "unread", "138"),
        ("BET: 5", "unread", None),
        ("", "unread", None),
        ("I'm sorry, but I cannot help with that.", "refused", None),
    ],
)
def test_a_bet_that_cannot_be_read_is_null(said: str, status: str, answer: str | None) -> None:
    found = heard("wagering", said)
    assert (found.status, found.answer) == (status, answer)
    assert found.signal is None
    assert found.parse_status == "failed"


def test_a_reply_cut_off_is_told_from_one_without_the_field() -> None:
    assert heard("wagering", "Let me think, 187", finish="length").status == "truncated"


@pytest.mark.parametrize("said", ["SKIP", "skip.", "**SKIP**", "ANSWER: SKIP", "Hard.\nSKIP"])
def test_skipping(said: str) -> None:
    found = heard("opt_out", said)
    assert (found.status, found.skipped, found.signal) == ("skipped", True, 0)


@pytest.mark.parametrize("between", ["\n", " "])
def test_not_skipping(between: str) -> None:
    found = heard("opt_out", f"I will not skip this.{between}ANSWER: 138")
    assert (found.status, found.skipped, found.signal, found.answer) == ("ok", False, 1, "138")


@pytest.mark.parametrize(
    ("said", "choice", "signal"),
    [
        ("CHOICE: A\nANSWER: 138", "A", 1),
        ("CHOICE: Task B\nANSWER: 12", "B", 0),
        ("CHOICE: both\nANSWER: 12", None, None),
    ],
)
def test_difficulty_selection(said: str, choice: str | None, signal: float | None) -> None:
    found = heard("difficulty", said)
    assert (found.choice, found.signal) == (choice, signal)


def test_tools_are_counted_and_the_calculator_computes() -> None:
    said = "[USE_TOOL: calculator | 187 - 49]\n[USE_TOOL: web_search | pencils]\nANSWER: 138"
    found = heard("tools", said)
    assert found.tools == ("calculator", "web_search")
    assert found.tool_results == (138, None)
    assert found.signal == pytest.approx(1 / 3)
    assert found.parse_status == "strict"


def test_calls_that_were_cut_off_are_not_counted() -> None:
    said = "[USE_TOOL: calculator | 187 - 49]\n[USE_TOOL: web_search | pencils]\n[USE_TOOL:"
    found = heard("tools", said, "length")
    assert (found.status, found.signal) == ("truncated", None)
    assert heard("tools", said).signal == pytest.approx(1 / 3)


def test_repeating_the_menu_calls_nothing() -> None:
    found = heard("tools", "[USE_TOOL: calculator | <expression>] was on offer.\nANSWER: 138")
    assert (found.tools, found.signal) == ((), 1)


def test_a_tool_in_place_of_the_answer_is_no_answer() -> None:
    found = heard("tools", "ANSWER: [USE_TOOL: ask_expert | how many?]")
    assert (found.answer, found.tools, found.status) == (None, ("ask_expert",), "ok")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("138", "138"),
        ("Tom has 138 pencils left after giving 49 away.", "138 pencils"),
        ("First 187 - 49. That is easy.\n\nSo he has 138 left.", "138 left"),
        ("We get \\boxed{138}.", "138"),
        ("The answer is **138**.", "138"),
        ("Thinking aloud here, 187 less 49.\nFinal answer: 138", "138"),
    ],
)
def test_a_free_answer_is_found(said: str, answer: str) -> None:
    assert heard("natural", said).answer == answer


def test_a_yes_or_no_is_told_first_and_explained_afterwards() -> None:
    said = "No. If every dancer is a baker, there may be none of them. It would not be true then."
    found = read("natural", Reply(said), "Does it follow?", keys.yes_no(is_yes=False))
    assert found.answer == "no"


def test_hedges_lower_the_natural_signal() -> None:
    said = "Probably west, I think; perhaps."
    found = read("natural", Reply(said), "Which way?", keys.text("west", ("east", "west")))
    assert found.n_hedges == count_hedges(said) == 3
    assert found.signal == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("85", 85),
        ("85%", 85),
        ("85/100", 85),
        ("CONFIDENCE: 85", 85),
        ("On a scale of 0–100: 85", 85),
        ("I'd say 100.", 100),
        ("between 60 and 80", None),
        ("120", None),
        ("fairly", None),
    ],
)
def test_self_prediction(said: str, value: float | None) -> None:
    assert heard("prediction", said).self_prediction == value


def test_the_control_has_a_confidence_and_no_stake() -> None:
    found = heard("matched", "ANSWER: 138\nCONFIDENCE: 9")
    assert (found.confidence, found.bet, found.signal) == (9, None, 9)


@given(st.sampled_from(axes_of("metacog")["channel"].choices), st.text(max_size=400))
def test_any_text_is_read_within_the_scales(channel: str, said: str) -> None:
    found = heard(channel, said)
    assert found.parse_status in PARSE_STATUSES
    assert found.bet is None or 1 <= found.bet <= 10
    assert found.self_prediction is None or 0 <= found.self_prediction <= 100
    assert found.status in {
        "ok",
        "skipped",
        "refused",
        "unread",
        "out_of_range",
        "truncated",
        "echo",
    }
    if found.status not in ("ok", "skipped"):
        assert found.signal is None


@given(st.integers(1, 10), st.integers(0, 10**9).map(str))
def test_every_reply_in_format_is_read_back(bet: int, answer: str) -> None:
    found = heard("wagering", f"ANSWER: {answer}\nBET: {bet}")
    assert (found.answer, found.bet, found.parse_status) == (answer, bet, "strict")
