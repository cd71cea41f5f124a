"""Every family's asks can be answered by keys, and its own reader takes what they make as it is."""

import json
from collections.abc import Mapping
from contextlib import closing

import pytest

from mirror_ray.contract.family import advance
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Request, Turn
from mirror_ray.forms import form_of
from mirror_ray.forms.form import MOST_FIELD_CHARS, WORDS, Form
from mirror_ray.forms.of_schema import form_of_schema
from mirror_ray.forms.of_words import form_of_words, lettered


def episode(
    family: str, condition: str, given: Mapping[str, object] | None = None, **axes: Scalar
) -> EpisodeSpec:
    variant = next(iter(FAMILIES[family].variants))
    chosen = tuple(sorted(axes.items()))
    seats = (("subject", "human/p1"),)
    return EpisodeSpec(Cell(family, condition, seats, None, variant, chosen), 0, 0, given or {})


def request_of(ask: Ask) -> Request:
    return Request(
        "0" * 16, 1, "c", "human/p1", ask.system, ask.user, (), ask.reply_schema, None, 100
    )


def played(spec: EpisodeSpec, *presses: tuple[str, dict[str, str]]) -> tuple[list[Form], Outcome]:
    """An episode, answered by (key, texts) one after another; "" sends the texts alone."""
    forms = []
    with closing(FAMILIES[spec.cell.family].play(spec, spec.rng())) as playing:
        said = advance(playing)
        for key, texts in presses:
            assert isinstance(said, Ask)
            form = form_of(spec, request_of(said))
            forms.append(form)
            keys = [choice.key for choice in form.choices]
            reply = form.reply(str(keys.index(key)) if key else "", texts)
            assert reply is not None
            turn = Turn(Observation((), "sha", {}), Reply(reply, finish_reason="stop"))
            said = advance(playing, turn)
    assert isinstance(said, Outcome)
    return forms, said


def test_selfid_is_walked_and_ended_by_keys() -> None:
    own = {"identification": "dark red", "selected_cube": "blue", "summary": "no mirror yet"}
    forms, outcome = played(
        episode("selfid", "E1", max_steps=5),
        ("d", {}),
        ("w", own),
        ("s", {}),
        ("a", {}),
        ("x", own),
    )
    steps = outcome.steps
    assert [step["parse_status"] for step in steps] == ["strict"] * 5
    assert [step["action"] for step in steps] == ["d", "w", "s", "a", "done"]
    assert [step["identification"] for step in steps[:2]] == ["unknown", "dark red"]
    # A move selects nothing, whatever stands in the field.
    assert [step["selected_cube"] for step in steps] == ["none", "none", "none", "none", "blue"]
    assert steps[1]["summary"] == "no mirror yet"
    assert outcome.terminated
    # `done` needs a cube to be named, be it "none".
    done = next(str(at) for at, one in enumerate(forms[0].choices) if one.key == "x")
    assert forms[0].reply(done, {"identification": "red"}) is None


def test_dyad_is_walked_as_selfid_is() -> None:
    own = {"identification": "red", "selected_cube": "red"}
    _, outcome = played(episode("dyad", "still", max_steps=6), ("d", {}), ("w", own), ("x", own))
    assert [step["parse_status"] for step in outcome.steps] == ["strict"] * 3
    assert [step["action"] for step in outcome.steps] == ["d", "w", "done"]
    assert [step["selected_cube"] for step in outcome.steps] == ["none", "none", "red"]


def test_selfid_without_cubes_and_at_a_glance() -> None:
    _, outcome = played(episode("selfid", "E5", max_steps=9), ("x", {"identification": "red"}))
    assert outcome.steps[0]["parse_status"] == "strict"
    _, outcome = played(episode("selfid", "glance"), ("", {"identification": "red"}))
    assert outcome.steps[0]["parse_status"] == "strict"
    assert outcome.steps[0]["identification"] == "red"


@pytest.mark.parametrize(
    ("axes", "presses"),
    [
        ({}, [("b", {})]),
        ({"prompting": "cot"}, [("b", {})]),
        ({"channel": "wager"}, [("", {"ANSWER": "B", "BET": "7"})]),
        ({"channel": "opt_out"}, [("s", {})]),
        ({"channel": "predict"}, [("", {WORDS: "80"}), ("b", {})]),
    ],
)
def test_flipset_is_answered_by_letters(
    axes: dict[str, Scalar], presses: list[tuple[str, dict[str, str]]]
) -> None:
    _, outcome = played(episode("flipset", "L2", **axes), *presses)
    assert [step["parse_status"] for step in outcome.steps] == ["strict"] * len(presses)
    last = outcome.steps[-1]
    assert last["answer"] == (None if last["skipped"] else "B")
    assert last["bet"] == (7 if "wager" in axes.values() else None)
    assert outcome.steps[0]["predicted_percent"] == (80 if "predict" in axes.values() else None)


def test_contingency_is_moved_by_arrows_and_answered_by_digits() -> None:
    spec = episode("contingency", "match")
    _, outcome = played(spec, ("ArrowLeft", {}), ("ArrowUp", {}), (" ", {}), ("2", {}))
    assert [step["parse_status"] for step in outcome.steps] == ["strict"] * 4
    assert [step["move"] for step in outcome.steps] == ["left", "up", "stay", "stay"]
    assert [step["answer"] for step in outcome.steps] == ["unsure", "unsure", "unsure", "middle"]


def test_marktest_is_reached_by_keys() -> None:
    spec = episode("marktest", "marked")
    keys = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "f", "b", "t")
    noticed = {"noticed": "a mark on my chin"}
    _, outcome = played(spec, *((key, {}) for key in keys), ("x", noticed))
    actions = ["left", "right", "up", "down", "forward", "back", "touch", "end"]
    assert [step["action"] for step in outcome.steps] == actions
    assert {step["parse_status"] for step in outcome.steps} == {"strict"}
    assert outcome.steps[-1]["noticed"] == "a mark on my chin"


@pytest.mark.parametrize("axes", [{}, {"channel": "wager"}])
def test_mirrorqa_is_answered_by_letters(axes: dict[str, Scalar]) -> None:
    presses = ("", {"ANSWER": "A", "BET": "3"}) if axes else ("a", {})
    (form,), outcome = played(episode("mirrorqa", "sim", **axes), presses)
    assert outcome.steps[0]["choice"] == outcome.steps[0]["options"][0]
    assert len(form.choices) == (0 if axes else len(outcome.steps[0]["options"]))


def test_metacog_is_written_in_the_lines_that_are_asked_for() -> None:
    spec = episode("metacog", "exp1", channel="wagering")
    (form,), outcome = played(spec, ("", {"ANSWER": "80", "BET": "4"}))
    assert [field.name for field in form.fields] == ["ANSWER", "BET"]
    assert (outcome.steps[0]["answer"], outcome.steps[0]["bet"]) == ("80", 4)
    _, outcome = played(episode("metacog", "exp1", channel="opt_out"), ("s", {}))
    assert outcome.steps[0]["skipped"] is True


def test_of_a_conversation_the_last_message_counts() -> None:
    first = "What?\nFormat:\nANSWER: [your answer]\nCONFIDENCE: [0-100]"
    again = f"So far.\n\nUSER:\n{first}\n\nYOU:\nANSWER: 1\n\nUSER:\n"
    assert [one.name for one in form_of_words(f"{again}{first}").fields] == ["ANSWER", "CONFIDENCE"]
    # Where it names no lines, those before hold.
    retry = form_of_words(f"{again}You may try that task again, in the same format.")
    assert [one.name for one in retry.fields] == ["ANSWER", "CONFIDENCE"]


def test_of_several_parts_the_frame_stands_there_to_be_filled_in() -> None:
    form = form_of_words(
        "PART 1: How many?\nPART 2: Which?\nFormat:\nPART 1\nANSWER: [your answer]\nPART 2\n"
        "ANSWER: [your answer]"
    )
    (field,) = form.fields
    assert field.begun == "PART 1\nANSWER: \nPART 2\nANSWER: "
    assert form.reply("", {WORDS: "PART 1\r\nANSWER: 3"}) == "PART 1\nANSWER: 3"


def test_textmirror_by_numbers_letters_and_words() -> None:
    asked = "Please answer with only the integer order of the sentence from 1-5"
    assert [one.key for one in form_of_words(f"{asked}: Once. Twice.").choices] == [*"12345"]
    zero = form_of_words(f"{asked}, or 0 if no part is strange: Once.")
    assert [one.key for one in zero.choices] == [*"012345"]
    pair = form_of_words("Which of the two? Please answer with only A or B.\nA: One.\nB: Two.")
    assert [pair.reply(str(at), {}) for at in range(2)] == ["A", "B"]
    story = form_of_words("Please write me a story in exactly 5 sentences: a dog")
    assert story.reply("", {WORDS: " One.\r\nTwo. "}) == "One.\nTwo."


def test_letters_count_from_a_at_the_end() -> None:
    assert lettered("A. x\nThen:\nA) one\nB) two\nD) four") == [("A", "one"), ("B", "two")]
    assert lettered("A. alone") == []


def test_a_family_of_another_package_is_answered_by_its_schema() -> None:
    schema = {
        "type": "object",
        "properties": {
            "why": {"type": "string"},
            "n": {"type": "integer"},
            "go": {"enum": [True, False]},
        },
    }
    form = form_of_schema(Ask("subject", 1, "", "", reply_schema=schema))
    assert form is not None
    reply = form.reply("0", {"why": "7", "n": "7"})
    assert reply is not None
    assert json.loads(reply) == {"why": "7", "n": 7, "go": True}
    assert form_of_schema(Ask("subject", 1, "", "", reply_schema={"type": "object"})) is None


@pytest.mark.parametrize("choice", ["4", "-1", "1e1", "٣", "9999999999999", "b"])
def test_what_is_no_choice_of_the_form_answers_nothing(choice: str) -> None:
    form = form_of_words("Which?\nA. one\nB. two\nC. three\nD. four")
    assert form.reply(choice, {}) is None
    assert form.reply("", {WORDS: "B"}) is None


def test_texts_are_bounded_and_unknown_ones_dropped() -> None:
    form = form_of_words("Say something.")
    reply = form.reply("", {WORDS: "x" * (MOST_FIELD_CHARS + 5), "other": "y"})
    assert reply == "x" * MOST_FIELD_CHARS
    assert form.reply("", {WORDS: " \n "}) is None
