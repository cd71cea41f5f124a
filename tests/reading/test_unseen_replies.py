"""Replies in the styles of today's models, written and labelled before the readers saw them."""

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from mirror_ray.core.types import Reply
from mirror_ray.families.contingency import reply as contingency
from mirror_ray.families.dyad import reply as dyad
from mirror_ray.families.flipset.reply import read_answer
from mirror_ray.families.marktest import reply as marktest
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.matching import is_right, is_right_leniently
from mirror_ray.families.mirrorqa.reply import read_choice
from mirror_ray.families.selfid import reply as selfid
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.textmirror.reply import heard, read_letter, read_number

REPLIES = Path(__file__).with_name("unseen_replies.jsonl")
MOST_WRONG, LEAST_READ = 1 / 200, 0.75


def decided(family: str, reply: Reply) -> str | None:
    """What a reply in a room decides: an action, with the cube at done; a move and an answer."""
    if family == "marktest":
        reached = marktest.read_reply(reply)[1]
        return reached.action if reached else None
    if family == "contingency":
        answered = contingency.read_reply(reply)[1]
        return f"{answered.move} {answered.answer}" if answered else None
    walked = (
        dyad.read_reply(reply, talks=False)[1]
        if family == "dyad"
        else selfid.read_reply(reply, CONDITIONS["E1"])[1]
    )
    if walked is None:
        return None
    return f"done {walked.selected_cube}" if walked.action == "done" else walked.action


def reading(line: Mapping[str, Any]) -> str | None:
    """What is read; in metacog whether it is right."""
    text, options = line["reply"], tuple(line["options"])
    if line["family"] == "flipset":
        return read_answer(Reply(text), options, "direct").label
    if line["family"] == "mirrorqa":
        return read_choice(text, options).option
    if line["family"] == "textmirror":
        numbered = partial(read_number, allowed=range(1, 6))
        named = heard(Reply(text), read_letter if "A" in options else numbered).value
        return None if named is None else str(named)
    if line["family"] != "metacog":
        return decided(line["family"], Reply(text))
    key = Key(line["key"], line["kind"], (), options)
    answer = read("natural", Reply(text), line["question"], key).answer
    judge = is_right_leniently if line["kind"] == "text" else is_right
    return None if answer is None else "correct" if judge(answer, key) else "incorrect"


def labelled(line: Mapping[str, Any]) -> str | None:
    said = line["verdict"] if line["family"] == "metacog" else line["committed"]
    return None if said == "unread" else said


def test_one_in_two_hundred_readings_is_wrong_at_most() -> None:
    committed, n_read = defaultdict[str, int](int), defaultdict[str, int](int)
    wrong = []
    for line in map(json.loads, REPLIES.read_text("utf-8").splitlines()):
        found, said = reading(line), labelled(line)
        committed[line["family"]] += said is not None
        n_read[line["family"]] += found is not None
        if found not in (None, said):
            wrong.append(line["reply"])
    assert sum(committed.values()) >= 480
    assert len(wrong) <= MOST_WRONG * sum(n_read.values()), wrong
    shares = {family: n_read[family] / n for family, n in committed.items()}
    assert min(shares.values()) >= LEAST_READ, shares
