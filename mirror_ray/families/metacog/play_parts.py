"""Experiment 9: a task of two parts, at four levels of information and in three paradigms.

In C4, a routed part never reaches the model. Its decision is ``use_tool`` and its answer NULL; the
analysis sets how often the tool is right."""

import re

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.answers import answer_of
from mirror_ray.families.metacog.bank.pairs import Parts
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.episode_record import EpisodeRecord, MetacogRow, Script
from mirror_ray.families.metacog.matching import is_right, is_right_leniently
from mirror_ray.families.metacog.play_questions import truth_of
from mirror_ray.families.metacog.prompts_agentic import Told, parts_prompt
from mirror_ray.families.metacog.reading import (
    MetacogReading,
    answers_itself,
    count_caveats,
    count_hedges,
    hands_over,
    is_refusal,
    labelled,
    tool_calls,
    without_calls,
    without_fields,
)
from mirror_ray.families.metacog.rows import step_row
from mirror_ray.reading.commitment import REFUSAL, UNREAD
from mirror_ray.reading.usable_text import usable_text

# At the beginning of a line, or after a full stop. Each character is examined once, because a match
# begins with a line or with that mark.
_PART = re.compile(
    r"(?:^(?>(?:[^\w\n]|_)*)|[.;,][*_ ]*+)(?:part|step) ?(?:(?P<one>1|one)|(?P<two>2|two))\b"
    r"[*_ ]*+(?:\([^()\n]*+\)[*_ ]*+)?(?:[:.)–—-]|$|(?=answer\b|decision\b|reasoning\b))",
    re.IGNORECASE | re.MULTILINE,
)
_CALLED = re.compile(
    r"(?:^[^\w\n]*+(?:(?:answer|decision)[^\w\n]*+)?|\buse_tool[ ]?:[ ]?)"
    r"(?P<tool>calculator|web_search|ask_expert|flag_review)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A tool called by the name in the prompt, without brackets around the call."""
_FLAGS = re.compile(
    r"\bI(?:'ll| will)? defer\b|\bflag(?:ging|ged)?[ _](?:(?:this|it|the|part"
    r"|\w+)[ ]){0,3}?for[ _](?:\w+[ ])?review\b",
    re.IGNORECASE,
)
_DECISIONS = {
    "PROCEED": "proceed",
    "USE TOOL": "use_tool",
    "FLAG FOR REVIEW": "defer",
    "FLAG": "defer",
}
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_TOOL_NAMED = re.compile(r"\([^()\n]*+\)")
"""For forms such as ``USE_TOOL (calculator)``."""
_NUMBERED = re.compile(
    r"^([^\w\n]*+(?:answer|reasoning)) [12](?=[*_ ]*+:)", re.IGNORECASE | re.MULTILINE
)
"""The labels of the published prompt without tools: ``ANSWER 1:``."""


def play_parts(
    record: EpisodeRecord, parts: Parts, *, paradigm: str, told: Told, routed: tuple[bool, bool]
) -> Script:
    """Present the task once and read both parts."""

    truth = {
        "item_id": parts.item_id,
        "domain": parts.one.domain,
        "difficulty": parts.one.difficulty,
        "parts": [
            truth_of(question) | {"routed": taken}
            for question, taken in zip((parts.one, parts.two), routed, strict=True)
        ],
    }
    user = parts_prompt(parts, paradigm, told, routed, record.texts)

    def note(reply: Reply) -> MetacogRow:
        return _row(reply, parts, paradigm, routed, user)

    yield from record.asked(user, note, truth=truth)


def _row(
    reply: Reply, parts: Parts, paradigm: str, routed: tuple[bool, bool], prompt: str
) -> MetacogRow:
    usable = usable_text(reply.text, prompt, is_cut=reply.is_cut)
    row: MetacogRow = {}
    for side, text, question, taken in zip(
        ("a", "b"), _halves(usable.text), (parts.one, parts.two), routed, strict=True
    ):
        read = _part(text, question, paradigm, routed=taken, is_cut=reply.is_cut)
        row |= {f"{name}_{side}": value for name, value in read.items()}
        row[f"key_kind_{side}"] = question.key.kind
    status = "ok" if None not in (row["decision_a"], row["decision_b"]) else UNREAD
    if status == UNREAD and usable.is_echo:
        status = "echo"
    elif status == UNREAD and reply.is_cut:
        status = "truncated"
    elif status == UNREAD and is_refusal(usable.text):
        status = REFUSAL
    reading = MetacogReading(
        status,
        parse_status="strict" if status == "ok" else "failed",
        n_hedges=count_hedges(usable.text),
        n_caveats=count_caveats(usable.text),
        n_words=len(usable.text.split()),
    )
    return step_row("parts", reading, None) | row


def _halves(text: str) -> tuple[str, str | None]:
    """Return what a reply says on each part; None for the second if it says nothing on it.

    A summary may return to a part: all text on one part is joined."""
    sides: list[list[str]] = [[], []]
    side = at = 0
    for heading in _PART.finditer(text):
        sides[side].append(text[at : heading.start()])
        side, at = int(heading["two"] is not None), heading.end()
    sides[side].append(text[at:])
    one, two = ("\n".join(said) for said in sides)
    return one, two if sides[1] else None


def _part(
    text: str | None, question: Question, paradigm: str, *, routed: bool, is_cut: bool
) -> MetacogRow:
    if routed:
        return {"decision": "use_tool"}
    if text is None:
        return {"decision": None}
    text = _NUMBERED.sub(r"\1", text)
    tools, _ = tool_calls(text)
    answer = answer_of(
        without_calls(without_fields(text)), question.text, question.key, is_cut=is_cut
    ).value
    decision = _decision(text, tools, answer, paradigm)
    if decision == "proceed" and paradigm != "checkpoint":
        is_own = answers_itself(without_fields(text), answer or "", question.text)
        decision = decision if is_own else None
    if decision != "proceed" and not tools:
        # Words that hand over a part do not answer it.
        answer = None
    row: MetacogRow = {
        "decision": decision,
        "answer": answer,
        "tools": None if paradigm == "no_tools" else list(tools),
        "n_hedges": count_hedges(text),
        "n_words": len(text.split()),
    }
    if answer is not None:
        row["correct"] = is_right(answer, question.key)
        row["correct_lenient"] = is_right_leniently(answer, question.key)
    return row


def _decision(text: str, tools: tuple[str, ...], answer: str | None, paradigm: str) -> str | None:
    """Return proceed, use_tool or defer; None if the reply is not clear."""
    if paradigm == "checkpoint":
        said = " ".join(
            _WORD.findall(_TOOL_NAMED.sub("", labelled(text, "decision") or ""))
        ).upper()
        return _DECISIONS.get(said)
    if paradigm == "autonomous":
        called = {*tools, *(found["tool"].lower() for found in _CALLED.finditer(text))}
        if "flag_review" in called:
            return "defer"
        if called:
            return "use_tool"
    if hands_over(text):
        is_flag = paradigm == "autonomous" and answer is None and _FLAGS.search(text)
        return "defer" if is_flag else None
    return None if answer is None else "proceed"
