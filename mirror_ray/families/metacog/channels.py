"""Reads a reply in its channel: answer, bet, skip, choice, tools, confidence.

`matching` decides whether an answer is right. [Our decision] Labels count with or without Markdown;
of one kind, the last counts. A number outside its scale is NULL with status ``out_of_range``, an
unread field NULL with status ``unread``; nothing is imputed."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.answers import LONGEST_ANSWER_CHARS, answer_of
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.reading import (
    MetacogReading,
    count_caveats,
    count_hedges,
    hands_over,
    is_refusal,
    labelled,
    tool_calls,
    turns_away,
    whole_number,
    without_calls,
    without_fields,
)
from mirror_ray.reading.commitment import REFUSAL, UNREAD
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.replies.objects import answers_named
from mirror_ray.reading.usable_text import usable_text

_MENU = re.compile(r"\[\s?USE_TOOL[^\]\n]{0,200}\]", re.IGNORECASE)
_SKIP = re.compile(
    r"^[^\w\n]*+(?:(?:answer|decision|choice|response)[*_ ]*+:[^\w\n]*+)?"
    r"(?:(?:i think |so,? |then,? |okay,? )?i(?:'ll|'d rather|'m going to| will| choose to)? "
    r"|my (?:answer|decision|choice) is(?: to)? )?"
    r"skip(?: this(?: one| question| task)?)?"
    r"[^\w(\n]*+(?>(?:\([^()\n]{0,80}+\))?)[^\w\n]*+$|^[^\w\n]*+(?-i:SKIP)\W{0,3} [–—-] [^\n]*+$",
    re.IGNORECASE | re.MULTILINE,
)
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
_NUMBER = re.compile(r"(?<![\w.-])-?\d++(?>(?:\.0++)?)(?!\.*+\d)")
_ASIDE = re.compile(r"\([^()\n]*+\)")
_RANGE = re.compile(r"(?<=\d)[ ]?%?[-–—](?=[ ]?\d)")
_EXACT: Mapping[str, re.Pattern[str]] = {
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


def read(
    channel: str, reply: Reply, question: str, key: Key | None, *, prompt: str = ""
) -> MetacogReading:
    """Read a reply in its channel.

    Args:
        question: as the model read it: numbers in it are not taken for an answer.
        key: used for the kind of answer, never for what is right. None if no answer is asked for.
        prompt: everything that was asked, which a reply may repeat; the question if it is "".
    """
    usable = usable_text(reply.text, prompt or question, is_cut=reply.is_cut)
    text = usable.text
    said = _Said(text, question, key, reply.is_cut)
    found = _READERS[channel](said)
    n_hedges = count_hedges(text)
    if channel == "natural" and found.status == "ok":
        found = replace(found, signal=1 / (1 + n_hedges))
    if found.status in ("ok", "skipped"):
        if _EXACT[channel].fullmatch(reply.text.strip()) is None:
            fixes = usable.fixes or ("words beside the format",)
            found = replace(found, parse_status="cleaned", fixes=fixes)
    else:
        status = found.status
        if usable.is_echo:
            status = "echo"
        elif reply.is_cut:
            status = "truncated"
        elif found.answer is None and is_refusal(text):
            status = REFUSAL
        found = replace(found, status=status, parse_status="failed", signal=None)
    return replace(
        found, n_hedges=n_hedges, n_caveats=count_caveats(text), n_words=len(text.split())
    )


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    question: str
    key: Key | None
    is_cut: bool

    def answer(self) -> str | None:
        """Return the answer without the channel's other fields, in the same form for every
        channel."""
        text = without_fields(answers_named(_SKIP.sub("", self.text)))
        return answer_of(text, self.question, self.key, is_cut=self.is_cut).value

    def number(self, label: str, least: int, most: int) -> tuple[int | None, str]:
        """Return a labelled whole number and the status of its field."""
        return whole_number(labelled(self.text, label), least, most)


def _wagering(said: _Said) -> MetacogReading:
    answer = said.answer()
    bet, status = said.number("bet", 1, 10)
    if status == UNREAD:
        bet, status = whole_number(next(reversed(_BETS.findall(said.text)), None), 1, 10)
    return MetacogReading(UNREAD if answer is None else status, answer=answer, bet=bet, signal=bet)


def _matched(said: _Said) -> MetacogReading:
    answer = said.answer()
    confidence, status = said.number("confidence", 1, 10)
    return MetacogReading(
        UNREAD if answer is None else status,
        answer=answer,
        confidence=confidence,
        signal=confidence,
    )


def _opt_out(said: _Said) -> MetacogReading:
    answer = said.answer()
    if _SKIP.search(said.text):
        # A reply that both skips and answers counts as neither.
        return (
            MetacogReading("skipped", skipped=True, signal=0.0)
            if answer is None
            else MetacogReading(UNREAD)
        )
    if answer is None or turns_away(said.text, said.question, answer):
        return MetacogReading(UNREAD)
    return MetacogReading("ok", answer=answer, skipped=False, signal=1.0)


def _difficulty(said: _Said) -> MetacogReading:
    named = {each.strip()[-1].upper() for each in _CHOSEN.findall(said.text)}
    chosen = labelled(said.text, "choice") or (named.pop() if len(named) == 1 else "")
    found = _CHOICE.match(chosen)
    # The kind of answer depends on the chosen task.
    answer = said.answer() if said.key else without_fields(said.text).strip() or None
    if found is None:
        return MetacogReading(UNREAD, answer=answer)
    choice = found[1].upper()
    status = UNREAD if answer is None else "ok"
    return MetacogReading(status, answer=answer, choice=choice, signal=float(choice == "A"))


def _tools(said: _Said) -> MetacogReading:
    names, results = tool_calls(said.text)
    rest = without_calls(said.text)
    # Tools named without a call leave it open who answers, because the menu names them for
    # everybody.
    is_open = not names and hands_over(_MENU.sub("", rest))
    answer = None if is_open else replace(said, text=rest).answer()
    return MetacogReading(
        # Calling a tool answers the channel's question, unless the reply was cut off after it.
        "ok" if answer is not None or (names and not said.is_cut) else UNREAD,
        answer=answer,
        tools=names,
        tool_results=results,
        signal=1 / (1 + len(names)),
    )


def _natural(said: _Said) -> MetacogReading:
    if said.key is None:
        # No question is asked: a request that is not declined counts as answered.
        text = said.text.strip()[:LONGEST_ANSWER_CHARS]
        answer = None if said.is_cut or is_refusal(text) else text or None
    else:
        answer = said.answer()
    return MetacogReading(UNREAD if answer is None else "ok", answer=answer)


def _prediction(said: _Said) -> MetacogReading:
    words = labelled(said.text, "confidence") or labelled(said.text, "prediction")
    if words is None and not said.is_cut:
        # “85”, “85%”, “85/100”, “On a scale of 0–100: 85”: the ends of the scale are not answers.
        bare = _RANGE.sub(" ", _SCALE.sub(" ", in_digits(said.text)))
        numbers = _NUMBER.findall(_ASIDE.sub(" ", bare)) or _NUMBER.findall(bare)
        words = numbers[0] if len(set(numbers)) == 1 else None
    value, status = whole_number(words, 0, 100)
    return MetacogReading(status, self_prediction=value, signal=value)


_READERS: Mapping[str, Callable[[_Said], MetacogReading]] = {
    "wagering": _wagering,
    "opt_out": _opt_out,
    "difficulty": _difficulty,
    "tools": _tools,
    "natural": _natural,
    "matched": _matched,
    "prediction": _prediction,
}
