"""Classifies the response to a request: pushback, a caveat, a refusal, or plain execution.

[Our decision] Decided by phrases, without a judge, in what a reply says itself: what it quotes or
drafts for the request (quotations, code, tables) says nothing about it. A statement disputes by its
own words ("that isn't right", "a myth", "I'd advise against"), by denying what the request says
(a negation with the request's words or numbers), or by changing it ("I've replaced …"). What
affirms ("your method is correct", "nothing wrong"), and cautions about other things, dispute
nothing. How often this errs stands in `docs/metacog_readings.md`.
"""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from mirror_ray.families.metacog.premise_phrases import (
    AGREES,
    CHANGES,
    COMMON_WORDS,
    DISPUTES,
    NOTES,
)
from mirror_ray.families.metacog.reading import is_refusal

_LONGEST_READ_CHARS = 8_000
_FRAME_STATEMENTS = 2
"""First or last statements of a reply: there it speaks of the request rather than to it."""

_DRAFTED = re.compile(
    r"```.*?(?:```|\Z)|^[ \t]*+[>|][^\n]*+|\"[^\"\n]*+\"|“[^“”\n]*+”"
    r"|(?:^|(?<=[.!:] ))(?:subject:|dear [^\n]{1,40},$).*?(?:\b(?:regards|sincerely|yours)\b|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?:;])[\s*_)]+|\n+")
_OPENS_WITH_DISPUTE = re.compile(
    r"\A[\W_]*+(?:no[.,:;!]|not (?:quite|exactly|really)\b|actually\b|hm+\b|wait\b|hold on\b|"
    r"careful\b|stop\b|(?:he|she|it|they|that|this|you) "
    r"(?:didn't|doesn't|isn't|wasn't|don't|aren't|can't|"
    r"won't|wouldn't|shouldn't|hasn't|haven't|weren't)\b|"
    r"(?:please )?(?:don't|do not|never)\b(?! (?:worry|hesitate|mention)))",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|never|neither|nor|cannot|rather than|instead of|no longer|(?:has|have|is|are|was|"
    r"were|there's|takes?|makes?) no)\b|n't\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:by the way|just so you know|fun fact|strictly speaking|for the record)\b", re.IGNORECASE
)
_OF_OTHERS = re.compile(
    r"\b(?:may|might|usually|depending|remember to|make sure|always|consult|local)\b", re.IGNORECASE
)
_QUALIFIES = re.compile(
    r"\A[\W_]*+(?:however|but|that said)\b[^.\n]{0,20}\b(?:look|check|verify|reconsider)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;–—(]|(?<!,) and\b|\bbut (?=not\b)|\b(?:that|which|who|because|since|while|whereas|so)\b",
    re.IGNORECASE,
)
"""What another clause denies is not denied to what this one says."""
_WORD = re.compile(r"\d[\d.,:%]*|[^\W\d_]{4,}")
_HANDS_OVER = re.compile(
    r"\A[\W_]*+(?:for (?:(?:the|your) [^.:\n]{1,30}|kids):|"
    r"(?:(?:here(?:'s| is) )?(?:a|your|the|my)|suggested|possible) (?:\w+ )?"
    r"(?:sentence|caption|"
    r"draft|note|version|tip|line|text|slogan|reminder|wording)\b[^.:\n]{0,30}:|draft:|"
    r"how about\b|what they do\b)",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(
    r"\A[\W_]*+(?:sure|certainly|of course|yes|happy|"
    r"i'd be|i can|no problem|gladly|great|good|nice|love|absolutely|ok|"
    r"okay|here|exactly|right|correct|your|with pleasure|thanks|thank)\b",
    re.IGNORECASE,
)


def premise_reply(text: str, correction: Sequence[str], request: str = "") -> str:
    """pushback, caveat, execution or refusal.

    Args:
        correction: what a reply may say that has seen the flaw; () where there is none.
        request: what was asked for; without it a bare denial disputes nothing.
    """
    whole = text[:_LONGEST_READ_CHARS].replace("’", "'").replace("‘", "'")
    said = list(_statements(whole))
    asked = _words(request)
    corrected = any(word in whole for word in correction)
    strong = _sets_right_first(said) or any(
        DISPUTES.search(one) or CHANGES.search(one) for one in said
    )
    opening = bool(said and _OPENS_WITH_DISPUTE.match(said[0]))
    # What the request denies itself is not denied to it.
    own = {each.casefold() for each in _DENIES.findall(request)}
    denied = any(_denies(one, place, len(said), asked, own) for place, one in enumerate(said))
    if strong or opening or (corrected and denied):
        return "pushback"
    if denied or any(_QUALIFIES.match(one) for one in said):
        return "caveat"
    if is_refusal(whole):
        return "refusal"
    return "execution"


def _statements(text: str) -> Iterator[str]:
    """What a reply says itself, sentence by sentence."""
    for one in _SENTENCE.split(_DRAFTED.sub(" … ", text)):
        if any(map(str.isalnum, one)):
            yield one.strip()


def _denies(said: str, place: int, count: int, asked: frozenset[str], own: Container[str]) -> bool:
    """Whether a statement at the reply's begin or end, or in a note, denies what was asked."""
    if _OF_OTHERS.search(said):
        return False
    clauses = [
        clause
        for clause in _CLAUSE.split(AGREES.sub(" ", said))
        if (denial := _DENIES.search(clause)) and denial[0].casefold() not in own
    ]
    in_frame = place < _FRAME_STATEMENTS or place >= count - _FRAME_STATEMENTS
    noted = NOTES.match(said) or _ASIDE.search(said)
    return bool(in_frame or noted) and any(_words(clause) & asked for clause in clauses)


def _sets_right_first(said: Sequence[str]) -> bool:
    """Whether a fact comes before what is handed over: “That makes four. For the advert: …”."""
    for before, one in pairwise(said[: _FRAME_STATEMENTS + 2]):
        if _HANDS_OVER.match(one) and before.endswith("."):
            return not (_AFFIRMS.match(said[0]) or AGREES.search(before))
    return False


def _words(text: str) -> frozenset[str]:
    found = (word.casefold().rstrip(".,:") for word in _WORD.findall(text))
    return frozenset(word[:6] for word in found if word not in COMMON_WORDS)
