"""Free replies in the styles of chat models are read as a person reads them, or not at all."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank.question import Key, number, sequence, text, yes_no
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.matching import is_right, is_right_leniently
from mirror_ray.families.metacog.published_keys import key_of

OURS = Path(__file__).with_name("metacog_replies.jsonl")
GENERATED = Path(__file__).with_name("metacog_generated_replies.jsonl")
PUBLIC = Path(__file__).parents[4] / "shared" / "data" / "replies"
SEATS = "A hall has 24 rows of 35 seats. 117 seats are reserved. How many seats are free?"


def replies(file: Path) -> Iterator[Mapping[str, Any]]:
    for line in file.read_text("utf-8").splitlines():
        yield json.loads(line)


def verdict_on(reply: Mapping[str, Any], kind: str) -> str:
    key = key_of(reply["key"])
    if key.kind == "letter":
        key = Key(key.answer[0], "letter", (), tuple("ABCDEFGH"))
    if kind == "list" and key.kind == "open":
        # A list of long names: a generated key says its kind, a published one has to show it.
        key = sequence(key.answer.split(", "))
    answer = read("natural", Reply(reply["reply"]), reply["question"], key).answer
    if answer is None:
        return "unread"
    judge = is_right_leniently if kind == "short_text" else is_right
    return "correct" if judge(answer, key) else "incorrect"


def answer_of(said: str, question: str, key: Key) -> str | None:
    return read("natural", Reply(said), question, key).answer


def test_replies_in_many_styles_are_read() -> None:
    agreeing = defaultdict[str, list[bool]](list)
    for reply in replies(OURS):
        verdict = verdict_on(reply, reply["kind"])
        right = reply["verdict"] == "correct"
        assert right or verdict != "correct", reply["reply"]
        if reply["verdict"] == "unread":
            assert verdict == "unread", reply["reply"]
        agreeing[reply["kind"]].append((verdict == "correct") == right)
    assert sum(map(len, agreeing.values())) >= 500
    assert {kind: sum(agree) / len(agree) >= 0.97 for kind, agree in agreeing.items()} == (
        dict.fromkeys(("number", "yes_no", "letter", "short_text", "list"), True)
    )


def test_replies_to_generated_questions_are_read_by_the_keys_options() -> None:
    disagreeing = []
    for reply in (rows := list(replies(GENERATED))):
        key = Key(reply["key"], reply["kind"], tuple(reply["aliases"]), tuple(reply["options"]))
        answer = answer_of(reply["reply"], reply["question"], key)
        is_correct = answer is not None and bool(is_right(answer, key))
        assert reply["verdict"] == "correct" or not is_correct, reply["reply"]
        disagreeing += [reply["reply"]] if is_correct != (reply["verdict"] == "correct") else []
    assert len(rows) >= 160
    assert len(disagreeing) <= 0.02 * len(rows), disagreeing


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the labelled replies are not on this machine")
@pytest.mark.parametrize("name", ["real", "styles"])
def test_labelled_replies_are_read_as_they_were_labelled(name: str) -> None:
    agreeing = defaultdict[str, list[bool]](list)
    for reply in replies(PUBLIC / f"{name}.jsonl"):
        kind, gold = reply["key_kind"], reply["verdict"]
        if kind in ("bad", "open") or gold not in ("correct", "incorrect"):
            continue
        is_correct = verdict_on(reply, kind) == "correct"
        agreeing["short" if kind == "short_text" else "closed"].append(
            is_correct == (gold == "correct")
        )
        if name == "styles" and gold == "incorrect":
            assert not is_correct, reply["reply"]
    shares = {kind: sum(agree) / len(agree) for kind, agree in agreeing.items()}
    assert shares["closed"] >= 0.97
    assert shares["short"] >= 0.90


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("I can't use a calculator here, but 6 × 7 = 42", "42"),
        ("I cannot be sure, however 24 × 35 − 117 = 723.", "723"),
        ("I'm sorry, but I can't help with that.", None),
        ("I cannot solve this. Is there anything else?", None),
        ("**723**\n\nOn the other hand, 840 − 117 = 733. Therefore, **733** seats are free.", None),
        ("840 in all. Wait, no: 723 seats are free.", "723 seats"),
        ("<think>733?</think>723", "723"),
        ("733, or so I thought\n</think>\n\n723", "723"),
        ("<think>it is 723", None),
        ("There are seven hundred and twenty-three free seats.", "723 free"),
        ("1 234 567 …\n" * 3_000 + "\nANSWER: 723", "723"),
    ],
)
def test_a_number(said: str, answer: str | None) -> None:
    assert answer_of(said, SEATS, number(723)) == answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Technically, no. You will still read “yes” in older books.", "no"),
        ("Yes. But then, think of penguins.\n\nSo the answer is no.", None),
        ("Not necessarily.", "not necessarily"),
        ("No student of birds would say so: penguins cannot.", None),
        ("Birds can all fly.", "yes"),
        ("Not all birds can fly.", "no"),
    ],
)
def test_yes_or_no(said: str, answer: str | None) -> None:
    assert answer_of(said, "Can all birds fly?", yes_no(holds=False)) == answer


def test_what_need_not_follow_does_not_follow() -> None:
    question = "All elms are trees. Some trees are old. Does it follow that some elms are old?"
    assert answer_of("Not necessarily, as …", question, yes_no(holds=False)) == "no"


def test_an_option_is_chosen_among_those_of_the_question() -> None:
    question = "Which lies furthest east: Lisbon, Rome or Warsaw?"
    key = text("Warsaw", ())
    assert answer_of("Lisbon is furthest west. **Warsaw** it is, not Rome.", question, key) == (
        "Warsaw"
    )
    wrong = answer_of("**Rome**, further east than Warsaw.", question, key)
    assert wrong is not None
    assert not is_right_leniently(wrong, key)


def test_the_last_order_counts() -> None:
    said = "First pass: [3, 2, 1]. Second pass: [2, 3, 1].\n\nResult: `[1, 2, 3]`"
    answer = answer_of(said, "Sort [3, 2, 1].", sequence((1, 2, 3)))
    assert answer == "1, 2, 3"


@given(st.text(max_size=300), st.sampled_from(["5", "yes", "B", "a, b", "12:30", "the elm"]))
def test_any_text_is_read_or_left(said: str, key: str) -> None:
    answer = answer_of(said, SEATS, key_of(key))
    assert answer is None or answer
