"""Experiment 9: a task of two parts, at four levels of information and in three paradigms.

In C4 a routed part never reaches the model: its decision is ``use_tool``, its answer NULL; the
analysis sets how often the tool is right.
"""

import re

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank.pairs import Parts
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.free_answer import commitment, stated
from mirror_ray.families.metacog.matching import is_right, is_right_leniently
from mirror_ray.families.metacog.play_questions import truth_of
from mirror_ray.families.metacog.prompts_agentic import Told, parts_prompt
from mirror_ray.families.metacog.reading import (
    Reading,
    count_caveats,
    count_hedges,
    is_refusal,
    labelled,
    tool_calls,
)
from mirror_ray.families.metacog.rows import step_row
from mirror_ray.families.metacog.sheet import Row, Script, Sheet

# At the begin of a line, or within one behind a full stop. What stands before is looked at once: it
# begins with a line or with that mark.
_PART = re.compile(
    r"(?:^(?:[^\w\n]|_)*+|[.;,][*_ ]*+)(?:part|step) ?(?:(?P<one>1|one)|(?P<two>2|two))\b"
    r"[*_ ]*+(?:\([^()\n]*+\)[*_ ]*+)?(?:[:.)–—-]|$|(?=answer\b|decision\b|reasoning\b))",
    re.IGNORECASE | re.MULTILINE,
)
_DEFERS = re.compile(r"flag[_ ](?:for[_ ])?review|\bi defer\b", re.IGNORECASE)


def play_parts(
    sheet: Sheet,
    parts: Parts,
    *,
    paradigm: str,
    told: Told,
    routed: tuple[bool, bool],
) -> Script:
    """Set the task once and read both parts."""

    def note(reply: Reply) -> Row:
        return _row(reply, parts, paradigm, routed)

    truth = {
        "item_id": parts.item_id,
        "domain": parts.one.domain,
        "difficulty": parts.one.difficulty,
        "parts": [
            truth_of(question) | {"routed": taken}
            for question, taken in zip((parts.one, parts.two), routed, strict=True)
        ],
    }
    user = parts_prompt(parts, paradigm, told, routed)
    yield from sheet.asked(user, note, truth=truth)


def _row(reply: Reply, parts: Parts, paradigm: str, routed: tuple[bool, bool]) -> Row:
    halves = _halves(reply.text)
    row: Row = {}
    for side, text, question, taken in zip(
        ("a", "b"), halves, (parts.one, parts.two), routed, strict=True
    ):
        row |= {f"{name}_{side}": value for name, value in _part(
            text, question, paradigm, taken
        ).items()}  # fmt: skip
        row[f"key_kind_{side}"] = question.key.kind
    decided = row["decision_a"], row["decision_b"]
    status = "ok" if None not in decided else "missing"
    if status == "missing" and is_refusal(reply.text):
        status = "refused"
    elif status == "missing" and reply.is_cut:
        status = "truncated"
    reading = Reading(
        status,
        parse_status="strict" if status == "ok" else "failed",
        n_hedges=count_hedges(reply.text),
        n_caveats=count_caveats(reply.text),
        n_words=len(reply.text.split()),
    )
    return step_row("parts", reading, None) | row


def _halves(text: str) -> tuple[str, str | None]:
    """What a reply says on each part; None for the second where nothing is said on it.

    A reply may come back to a part, in a summary: all that it says on one is one text.
    """
    sides: list[list[str]] = [[], []]
    side = at = 0
    for heading in _PART.finditer(text):
        sides[side].append(text[at : heading.start()])
        side, at = int(heading["two"] is not None), heading.end()
    sides[side].append(text[at:])
    one, two = ("\n".join(said) for said in sides)
    return one, two if sides[1] else None


def _part(text: str | None, question: Question, paradigm: str, routed: bool) -> Row:
    if routed:
        return {"decision": "use_tool"}
    if text is None:
        return {"decision": None}
    tools, _ = tool_calls(text)
    answer = _answer(text, question)
    row: Row = {
        "decision": _decision(text, tools, answer, paradigm),
        "answer": answer,
        "tools": None if paradigm == "no_tools" else list(tools),
        "n_hedges": count_hedges(text),
        "n_words": len(text.split()),
    }
    if answer is not None:
        row["correct"] = is_right(answer, question.key)
        row["correct_lenient"] = is_right_leniently(answer, question.key)
    return row


def _answer(text: str, question: Question) -> str | None:
    """The part's answer; a tool call or a deferral in its place is none."""
    said = labelled(text, "answer")
    if said is None and not any(labelled(text, each) for each in ("decision", "reasoning")):
        said = text if text.strip() else None
    if said is None or tool_calls(said)[0] or _DEFERS.search(said):
        return None
    if said is text:
        return commitment(text, question.text, question.key)
    return stated(said, question.text, question.key)


def _decision(text: str, tools: tuple[str, ...], answer: str | None, paradigm: str) -> str | None:
    """proceed, use_tool or defer; None where nothing was decided."""
    if paradigm == "checkpoint":
        said = (labelled(text, "decision") or "").upper()
        for word, decision in (("FLAG", "defer"), ("TOOL", "use_tool"), ("PROCEED", "proceed")):
            if word in said:
                return decision
        return None
    if paradigm == "autonomous":
        if "flag_review" in tools or _DEFERS.search(text):
            return "defer"
        if tools:
            return "use_tool"
    return None if answer is None else "proceed"
