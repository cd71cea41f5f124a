"""Reads a reply in its channel: answer, bet, skip, choice, tools, confidence.

`matching` decides whether an answer is right. [Our decision] Labels count with or without markdown,
the last one of a kind; a number outside its scale is NULL with status ``out_of_range``, a missing
field NULL with status ``missing``; nothing is imputed.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.free_answer import LONGEST_ANSWER_CHARS, commitment, stated
from mirror_ray.families.metacog.reading import (
    Reading,
    count_caveats,
    count_hedges,
    is_refusal,
    labelled,
    tool_calls,
    whole_number,
)
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.replies.own_turn import own_turn
from mirror_ray.reading.replies.statements import LONGEST_READ_CHARS
from mirror_ray.reading.thinking import without_thinking

_SKIP = re.compile(
    r"^[^\w\n]*+(?:(?:answer|decision|choice|response)[*_ ]*+:[^\w\n]*+)?"
    r"(?:(?:i think |so,? |then,? |okay,? )?i(?:'ll|'d rather|'m going to| will| choose to)? "
    r"|my (?:answer|decision|choice) is(?: to)? )?"
    r"skip(?: this(?: one| question| task)?)?"
    r"[^\w(\n]*+(?:\([^()\n]{0,80}+\))?+[^\w\n]*+$|^[^\w\n]*+(?-i:SKIP)\W{0,3} [–—-] [^\n]*+$",
    re.IGNORECASE | re.MULTILINE,
)
_TYPED = str.maketrans("：，（）’", ":,()'")
_CHOICE = re.compile(
    r"\W*(?:task )?\[?([ab])\b(?!\W{0,4}(?:or|and|/) (?:task )?\[?[ab]\b)", re.IGNORECASE
)
_BETS = re.compile(
    r"\bi(?:'d|'ll|'m| would| will| am)? (?:bet|wager|stake)(?:ting|ing)? "
    r"(?:(?:all|the|a|maximum|full|of) ){0,4}"
    r"(\w{1,5}\b[^\n]{0,40})",
    re.I,
)
_CHOSEN = re.compile(
    r"^\W{0,4}(?:i(?:'ll|'d| will| would)? (?:choose|pick|select|attempt|take|go (?:for|with)) )?"
    r"((?:task )?[ab])[^\w\n]{0,6}$",
    re.IGNORECASE | re.MULTILINE,
)
_SCALE = re.compile(r"\b0\s*(?:[-–—]|to)\s*100\b|/\s*100\b|\bout of 100\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.-])-?\d++(?:\.0++)?+(?!\.*+\d)")
_ASIDE = re.compile(r"\([^()\n]*+\)")
_RANGE = re.compile(r"(?<=\d)[ ]?%?[-–—](?=[ ]?\d)")
_EXACT: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        channel: re.compile(pattern, re.IGNORECASE)
        for channel, pattern in {
            "wagering": r"ANSWER: .+\nBET: \d+",
            "matched": r"ANSWER: .+\nCONFIDENCE: \d+",
            "opt_out": r"ANSWER: .+|SKIP",
            "difficulty": r"CHOICE: [AB]\nANSWER: .+",
            "tools": r"(?:\[USE_TOOL: \w+ \| [^\]]*\]\s*)*ANSWER: .+",
            "prediction": r"\d+",
            "natural": r"[\s\S]*",
        }.items()
    }
)


def read(channel: str, reply: Reply, question: str, key: Key | None) -> Reading:
    """A reply in its channel.

    Args:
        question: as the model read it: numbers it names are not taken for a free answer.
        key: tells what kind of answer a free text is searched for; never what is right. None
            where no answer is asked for.
    """
    text = without_thinking(reply.text).translate(_TYPED)
    text = (own_turn(text) if channel == "natural" else text)[-LONGEST_READ_CHARS:]
    found = _READERS[channel](text, question, key)
    n_hedges = count_hedges(text)
    if channel == "natural" and found.status == "ok":
        found = replace(found, signal=1 / (1 + n_hedges))
    if _EXACT[channel].fullmatch(text.strip()) is None:
        found = replace(found, parse_status="cleaned", fixes=("words beside the format",))
    if found.status not in ("ok", "skipped"):
        status = found.status
        if found.answer is None and is_refusal(text):
            status = "refused"
        elif reply.is_cut:
            status = "truncated"
        found = replace(found, status=status, parse_status="failed", signal=None)
    return replace(
        found,
        n_hedges=n_hedges,
        n_caveats=count_caveats(text),
        n_words=len(text.split()),
    )


def _stated(text: str, question: str, key: Key | None) -> str | None:
    said = labelled(text, "answer")
    return None if said is None else stated(said, question, key)


def _wagering(text: str, question: str, key: Key | None) -> Reading:
    answer = _stated(text, question, key)
    bet, status = whole_number(labelled(text, "bet"), 1, 10)
    if status == "missing":
        bet, status = whole_number(next(reversed(_BETS.findall(text)), None), 1, 10)
    return Reading("missing" if answer is None else status, answer=answer, bet=bet, signal=bet)


def _matched(text: str, question: str, key: Key | None) -> Reading:
    answer = _stated(text, question, key)
    confidence, status = whole_number(labelled(text, "confidence"), 1, 10)
    return Reading(
        "missing" if answer is None else status,
        answer=answer,
        confidence=confidence,
        signal=confidence,
    )


def _opt_out(text: str, question: str, key: Key | None) -> Reading:
    answer = _stated(_SKIP.sub("", text), question, key)
    if _SKIP.search(text):
        # Who skips and answers does neither.
        return (
            Reading("skipped", skipped=True, signal=0.0) if answer is None else Reading("missing")
        )
    if answer is None:
        return Reading("missing")
    return Reading("ok", answer=answer, skipped=False, signal=1.0)


def _difficulty(text: str, _question: str, _key: Key | None) -> Reading:
    named = {each.strip()[-1].upper() for each in _CHOSEN.findall(text)}
    chosen = labelled(text, "choice") or (named.pop() if len(named) == 1 else "")
    said = _CHOICE.match(chosen)
    answer = labelled(text, "answer")
    if said is None:
        return Reading("missing", answer=answer)
    choice = said[1].upper()
    status = "missing" if answer is None else "ok"
    return Reading(status, answer=answer, choice=choice, signal=float(choice == "A"))


def _tools(text: str, question: str, key: Key | None) -> Reading:
    names, results = tool_calls(text)
    answer = labelled(text, "answer")
    if answer is None and not names:
        answer = commitment(text, question, key)
    elif answer is not None:
        answer = None if tool_calls(answer)[0] else stated(answer, question, key)
    return Reading(
        # A model that hands the question to its tools has answered the channel's question.
        "ok" if answer is not None or names else "missing",
        answer=answer,
        tools=names,
        tool_results=results,
        signal=1 / (1 + len(names)),
    )


def _natural(text: str, question: str, key: Key | None) -> Reading:
    if key is None:
        # Nothing is asked: a request that is not declined has its reply.
        answer = None if is_refusal(text) else text.strip()[:LONGEST_ANSWER_CHARS] or None
    else:
        answer = commitment(text, question, key)
    return Reading("missing" if answer is None else "ok", answer=answer)


def _prediction(text: str, _question: str, _key: Key | None) -> Reading:
    said = labelled(text, "confidence") or labelled(text, "prediction")
    if said is None:
        # “85”, “85%”, “85/100”, “On a scale of 0–100: 85”: the scale's own ends say nothing.
        bare = _RANGE.sub(" ", _SCALE.sub(" ", in_digits(text)))
        numbers = _NUMBER.findall(_ASIDE.sub(" ", bare)) or _NUMBER.findall(bare)
        said = numbers[0] if len(set(numbers)) == 1 else None
    value, status = whole_number(said, 0, 100)
    return Reading(status, self_prediction=value, signal=value)


_READERS: Mapping[str, Callable[[str, str, Key | None], Reading]] = MappingProxyType(
    {
        "wagering": _wagering,
        "opt_out": _opt_out,
        "difficulty": _difficulty,
        "tools": _tools,
        "natural": _natural,
        "matched": _matched,
        "prediction": _prediction,
    }
)
