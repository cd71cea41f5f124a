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
from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.question import Key
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
        key = keys.sequence(key.answer.split(", "))
    answer = read("natural", Reply(reply["reply"]), reply["question"], key).answer
    if answer is None:
        return "unread"
    judge = is_right_leniently if kind == "short_text" else is_right
    return "correct" if judge(answer, key) else "incorrect"


def answer_of(said: str, question: str, key: Key) -> str | None:
    return read("natural", Reply(said), question, key).answer


MOST_WRONG = 1 / 200
"""Largest share of readings that may differ from a person's."""


def counts(rows: Iterator[Mapping[str, Any]], kind_of: str) -> dict[str, tuple[int, int, int]]:
    """Count by kind: replies with an answer, replies that are read, and wrong readings.

    Fails where a wrong reply is read as right.
    """
    found = defaultdict[str, list[int]](lambda: [0, 0, 0])
    for reply in rows:
        if reply[kind_of] in ("bad", "open") or reply["verdict"] == "undecidable":
            continue
        verdict, gold = verdict_on(reply, reply[kind_of]), reply["verdict"]
        assert verdict != "correct" or gold == "correct", reply["reply"]
        tally = found[reply[kind_of]]
        tally[0] += gold != "unread"
        tally[1] += verdict != "unread"
        tally[2] += verdict not in ("unread", gold)
    return {kind: (n, read, wrong) for kind, (n, read, wrong) in found.items()}


def test_replies_in_many_styles_are_read_or_left_unread() -> None:
    found = counts(replies(OURS), "kind")
    assert sum(n for n, _, _ in found.values()) >= 2_000
    assert sum(wrong for _, _, wrong in found.values()) <= MOST_WRONG * sum(
        read for _, read, _ in found.values()
    )
    # Most of them avoid every format.
    assert {kind: read >= 0.6 * n for kind, (n, read, _) in found.items()} == (
        dict.fromkeys(("number", "yes_no", "letter", "short_text", "list"), True)
    )


def test_replies_to_generated_questions_are_read_by_the_keys_options() -> None:
    n_read = n_wrong = 0
    for reply in (rows := list(replies(GENERATED))):
        key = Key(reply["key"], reply["kind"], tuple(reply["aliases"]), tuple(reply["options"]))
        answer = answer_of(reply["reply"], reply["question"], key)
        is_correct = answer is not None and bool(is_right(answer, key))
        assert reply["verdict"] == "correct" or not is_correct, reply["reply"]
        n_read += answer is not None
        n_wrong += answer is not None and is_correct != (reply["verdict"] == "correct")
    assert len(rows) >= 160
    assert n_wrong <= MOST_WRONG * len(rows)
    assert n_read >= 0.5 * len(rows)


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the labelled replies are not on this machine")
@pytest.mark.parametrize("name", ["real", "styles"])
def test_labelled_replies_are_read_as_they_were_labelled(name: str) -> None:
    found = counts(replies(PUBLIC / f"{name}.jsonl"), "key_kind")
    n, n_read = (sum(each[at] for each in found.values()) for at in (0, 1))
    assert n_read >= 0.75 * n
    closed = {kind: wrong for kind, (_, _, wrong) in found.items() if kind in ("number", "yes_no")}
    assert set(closed.values()) == {0}


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("I can't use a calculator here, but 6 × 7 = 42", "42"),
        ("I cannot be sure, however 24 × 35 − 117 = 723.", "723"),
        ("I'm sorry, but I can't help with that.", None),
        ("I cannot solve this. Is there anything else?", None),
        ("**723**\n\nOn the other hand, 840 − 117 = 733. Therefore, **733** seats are free.", None),
        ("840 in all. Wait, no: 723.", "723"),
        ("<think>733?</think>723", "723"),
        ("733, or so I thought\n</think>\n\n723", "723"),
        ("<think>it is 723", None),
        ("There are seven hundred and twenty-three free seats.", "723 free"),
        ("1 234 567 …\n" * 3_000 + "\nANSWER: 723", "723"),
    ],
)
def test_a_number(said: str, answer: str | None) -> None:
    assert answer_of(said, SEATS, keys.number_key(723)) == answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Technically, no. You will still read “yes” in older books.", "no"),
        ("Yes. But then, think of penguins.\n\nSo the answer is no.", None),
        ("Not necessarily.", "not necessarily"),
        ("No student of birds would say so: penguins cannot.", None),
        # A sentence that repeats the question in other words is not interpreted.
        ("Birds can all fly.", None),
        ("Not all birds can fly.", None),
        ("They can't.", "no"),
    ],
)
def test_yes_or_no(said: str, answer: str | None) -> None:
    assert answer_of(said, "Can all birds fly?", keys.yes_no(is_yes=False)) == answer


def test_what_need_not_follow_does_not_follow() -> None:
    question = "All elms are trees. Some trees are old. Does it follow that some elms are old?"
    assert answer_of("Not necessarily, as …", question, keys.yes_no(is_yes=False)) == "no"


def test_an_option_is_chosen_among_those_of_the_question() -> None:
    question = "Which lies furthest east: Lisbon, Rome or Warsaw?"
    key = keys.text("Warsaw", ())
    assert answer_of("**Warsaw** it is, not Rome. Lisbon is in the west.", question, key) == (
        "Warsaw"
    )
    wrong = answer_of("**Rome**, further east than Warsaw.", question, key)
    assert wrong is not None
    assert not is_right_leniently(wrong, key)


def test_of_several_orders_the_labelled_one_counts() -> None:
    said = "First pass: [3, 2, 1]. Second pass: [2, 3, 1].\n\n{} `[1, 2, 3]`"
    key = keys.sequence((1, 2, 3))
    assert answer_of(said.format("Answer:"), "Sort [3, 2, 1].", key) == "1, 2, 3"
    assert answer_of(said.format("Third pass:"), "Sort [3, 2, 1].", key) is None


@given(st.text(max_size=300), st.sampled_from(["5", "yes", "B", "a, b", "12:30", "the elm"]))
def test_any_text_is_read_or_left(said: str, key: str) -> None:
    answer = answer_of(said, SEATS, key_of(key))
    assert answer is None or answer
