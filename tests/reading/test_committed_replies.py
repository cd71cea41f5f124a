"""Replies labelled by hand before any reader saw them: what is read is what they commit to.

`choice_replies.jsonl` has a line a reply: family, the options in their order, the reply, and the
option that it commits to; `selfid_replies.jsonl` the action, the cube and the claimed colour.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mirror_ray.core.types import Reply
from mirror_ray.families.flipset.reply import read_answer
from mirror_ray.families.mirrorqa.reply import read_choice
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.reply import read_reply
from mirror_ray.families.textmirror.reply import heard, read_letter
from support.claim_macros import claim_macros

HERE = Path(__file__).parent
LEAST_READ = {"flipset": 0.6, "mirrorqa": 0.6, "textmirror": 0.55, "selfid": 0.95}
"""Of the replies that commit to an answer; most of these avoid the format that was asked for."""


def lines(name: str) -> Iterator[Mapping[str, Any]]:
    for line in (HERE / name).read_text("utf-8").splitlines():
        yield json.loads(line)


def _flipset(text: str, options: tuple[str, ...]) -> str | None:
    labels = {read_answer(Reply(text), options, how).label for how in ("direct", "cot")}  # type: ignore[arg-type]
    assert len(labels) == 1, "the same reply is read alike, whatever was asked for"
    return labels.pop()


READERS: Mapping[str, Callable[[str, tuple[str, ...]], str | None]] = {
    "flipset": _flipset,
    "mirrorqa": lambda text, options: read_choice(text, options).option,
    "textmirror": lambda text, _: heard(Reply(text), read_letter).value,
}


@pytest.mark.parametrize("family", READERS)
def test_no_reply_is_read_as_another_option_and_most_are_read(family: str) -> None:
    committed, unread = 0, []
    for line in lines("choice_replies.jsonl"):
        if line["family"] != family:
            continue
        found, said = READERS[family](line["reply"], tuple(line["options"])), line["committed"]
        assert found in {said, None}, line["reply"]
        committed += said is not None
        unread += [line["reply"]] if found != said else []
    assert committed >= 100
    assert len(unread) <= (1 - LEAST_READ[family]) * committed, unread


@pytest.fixture(scope="module")
def claims() -> Iterator[duckdb.DuckDBPyConnection]:
    with claim_macros() as connection:
        yield connection


def test_an_agents_decision_is_read_as_it_was_made(claims: duckdb.DuckDBPyConnection) -> None:
    committed = unread = 0
    for line in lines("selfid_replies.jsonl"):
        decision = read_reply(Reply(line["reply"]), CONDITIONS["E1"])[1]
        committed += line["action"] is not None
        if decision is None:
            unread += line["action"] is not None
            continue
        row = claims.execute("select macro.claim_color($1)", [decision.identification]).fetchone()
        assert (decision.action, decision.selected_cube) == (line["action"], line["cube"]), line
        # A claim that is not made in so many words is something else, which counts as none.
        assert row is not None
        assert row[0] in {line["claim"], None}, line
    assert unread <= (1 - LEAST_READ["selfid"]) * committed
