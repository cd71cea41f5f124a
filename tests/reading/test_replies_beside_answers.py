"""Stakes, skips, choices, tools and names of makers, labelled by hand before a reader saw them.

`channel_replies.jsonl` has a line a reply: the channel, the reply, and what it says in that
channel, or, to a question with its key, whether its labelled answer is right;
`textmirror_replies.jsonl` the reader, the makers on offer, and the number that the reply names.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.matching import is_right
from mirror_ray.families.metacog.published_keys import key_of
from mirror_ray.families.textmirror.attribution import read_attribution
from mirror_ray.families.textmirror.reply import heard, read_number

HERE = Path(__file__).parent
QUESTION = "Tom has 187 pencils and gives 49 away. How many are left?"
PLACES = range(1, 6)
LEAST_READ = 0.9
"""Where the prompt asks for a format."""


def lines(name: str) -> Iterator[Mapping[str, Any]]:
    for line in (HERE / name).read_text("utf-8").splitlines():
        yield json.loads(line)


def test_a_channel_says_nothing_that_its_reply_does_not() -> None:
    parts, unread = 0, []
    for line in lines("channel_replies.jsonl"):
        if "read" not in line:
            continue
        found = read(line["channel"], Reply(line["reply"]), QUESTION, keys.number_key(138))
        for part, labelled in line["read"].items():
            said = tuple(labelled) if isinstance(labelled, list) else labelled
            assert getattr(found, part) in {said, None}, line
            parts += said is not None
            unread += [line] if getattr(found, part) != said else []
    assert parts >= 100
    assert len(unread) <= (1 - LEAST_READ) * parts, unread


def test_a_labelled_answer_is_right_where_a_person_says_so() -> None:
    disagreeing = []
    for line in (rows := [each for each in lines("channel_replies.jsonl") if "key" in each]):
        key = key_of(line["key"])
        if key.kind == "letter":
            key = Key(key.answer, "letter", (), tuple("ABCDEFGH"))
        answer = read(line["channel"], Reply(line["reply"]), line["question"], key).answer
        is_correct = answer is not None and bool(is_right(answer, key))
        assert line["verdict"] == "correct" or not is_correct, line
        disagreeing += [line] if is_correct != (line["verdict"] == "correct") else []
    assert len(rows) >= 50
    assert len(disagreeing) <= (1 - LEAST_READ) * len(rows), disagreeing


def test_a_sentence_or_a_maker_is_read_as_it_was_named() -> None:
    committed, unread = 0, []
    for line in lines("textmirror_replies.jsonl"):
        text, said = line["reply"], line["committed"]
        if line["reader"] == "maker":
            value = heard(Reply(text), partial(read_attribution, offered=line["makers"])).value
        else:
            value = heard(Reply(text), partial(read_number, allowed=PLACES)).value
        assert value in {said, None}, line
        committed += said is not None
        unread += [line] if value != said else []
    assert committed >= 20
    assert len(unread) <= 0.15 * committed, unread
