"""Reads a model's description: on whom a mark is, and whom the image in front shows.

A rule-based reader of English prose, which works sentence by sentence. If sentences disagree, one's
own body takes precedence, so that a doubt never counts as a mistake about oneself. It never
guesses: undecided cases are `unclear`, or None."""

import re
from typing import Literal

from mirror_ray.reading.thinking import without_thinking

Claim = Literal["own", "other", "glass", "nothing", "unclear"]
ImageAs = Literal["self", "other"]

_LONGEST_READ_CHARS = 4_000
_SENTENCE = re.compile(r"[.!?;\n]+")
_MARK = re.compile(
    r"\b(?:marks?|marking|spots?|dots?|stickers?|patch(?:es)?|smudges?|stains?|blobs?|paint|circles?"
    r"|discs?|disks?|specks?|dabs?|bindi)\b"
)
_NOTHING = re.compile(
    r"\W*+(?>(?:not(?:hing)? (?:really|yet|unusual)|nothing|none|no marks?|no|nil|n/?a)?)\W*+\Z"
)
_DENIED = re.compile(
    r"\b(?:nothing|none|unmarked|without (?:a |any )?(?:\w+ )?mark"
    r"|no (?:\w+ ){0,3}?(?:marks?|spots?|dots?|stickers?|paint|one)"
    r"|(?:do|does|can|could|did|is|are|was|am) ?(?:not|n't)|cannot|isn't|don't|doesn't|can't)\b"
)
_UNSURE = re.compile(
    r"\b(?:can(?:not|'t| not)|could(?: not|n't)|am not able to|unable to) (?:tell|say|determine)\b"
    r"|\bnot (?:sure|certain|clear)\b|\bunclear\b|\bunsure\b"
)
_NEAR_ME = re.compile(
    r"\b(?:in front of|opposite|across from|facing|before|behind|beside|next to|near|at|to"
    r"|towards?) (?:me|myself|my (?:view|eyes|position))\b"
)
_PARTS = (
    r"(?:forehead|face|chin|cheeks?|chest|torso|body|shirt|head|hands?|arms?|neck|brow|jaw|nose"
    r"|wrist|palm|sleeve)"
)
_OWN = re.compile(
    rf"\b(?:my|own|mine|me|myself)\b(?!\s+(?:view|picture|field|mirror\b))"
    rf"|\b(?:the|a) (?:reflection|reflected|mirror image)"
    rf"|\b{_PARTS} of (?:the|my) (?:reflection|mirror image)|\breflection's\b"
)
_GLASS = re.compile(
    r"\bon (?:the )?(?:\w+ ){0,3}?(?:mirror|glass|pane|surface|wall|frame|panel|background)\b"
    r"|\b(?:mirror|glass)(?:'s)? surface\b"
)
_OTHER = re.compile(
    r"\b(?:person|people|man|woman|figure|stranger|someone|somebody|individual|humanoid|human"
    r"|character|avatar|mannequin|robot|doll|him|her|his|their|them|he|she|they)(?:'s)?\b"
)
_OF_SELF = re.compile(
    r"\b(?:my|own|your) (?:own )?(?:\w+ )?(?:reflection|mirror image|reflected|image|mirrored)\b"
    r"|\b(?:reflection|image) of (?:me|myself|my)\b|\b(?:see|seeing|at|is|of|shows?) myself\b"
    r"|\bmyself in\b|\bmirror (?:shows?|reflects?|showing|reflecting) (?:me|my)\b"
    r"|\b(?:that|this|it)(?:'s| is) me\b|\b(?:which|that|this|it) (?:is|must be) my (?:own )?body\b"
    r"|\bi am (?:reflected|the one)\b|\bmy (?:own )?body (?:is )?"
    r"(?:in|reflected)\b|\bi see (?:me|my (?:own )?(?:face|body))\b|\bmy (?:face|head|body|forehead"
    r"|chin|cheek|chest)\b[^.]{0,30}\b(?:in the mirror|reflect)"
)
_OF_OTHER = re.compile(
    r"\b(?:another|other|different|second) (?:\w+ )?(?:person|robot|figure|human|agent|body|being"
    r"|individual|humanoid|man|woman)\b|\bsome(?:one|body)(?: else| is| stands| standing| opposite"
    r"| in front)\b|\b(?:a|the|this|that) (?:\w+ )?(?:\w+ )?(?:person|man|woman|figure|stranger"
    r"|individual|humanoid|character|mannequin)\b|\b(?:hello|hi there|greet|wave to|wave at)\b"
    r"|\b(?:they|he|she) (?:is|are|has|have|looks?|seems?|stands?)\b"
)
_OF_MIRROR = re.compile(r"\bmirror|\breflect")


def claim_of(noticed: str) -> Claim:
    """Return on whom or what the text says a mark is; linear in the text."""
    text = _plain(noticed)
    if _NOTHING.match(text):
        return "nothing"
    found: set[Claim] = set()
    for sentence in _SENTENCE.split(text):
        if not _MARK.search(sentence):
            continue
        denied = _DENIED.search(_UNSURE.sub(" ", sentence))
        found.add("nothing" if denied else _whose(sentence))
    if not found:
        return "nothing" if _DENIED.search(text) else "unclear"
    order: tuple[Claim, ...] = ("own", "other", "glass", "unclear", "nothing")
    return next(claim for claim in order if claim in found)


def image_as(words: str) -> ImageAs | None:
    """Return whom the text takes the opposite image for; None if it does not say."""
    taken_for_other = False
    for sentence in _SENTENCE.split(_plain(words)):
        if _OF_SELF.search(sentence) and not _not_own(sentence):
            return "self"
        if _OF_OTHER.search(sentence) and not _OF_MIRROR.search(sentence):
            taken_for_other = taken_for_other or not _denies_other(sentence)
    return "other" if taken_for_other else None


def _whose(sentence: str) -> Claim:
    if _UNSURE.search(sentence):
        return "unclear"
    sentence = _NEAR_ME.sub(" ", sentence)
    if _OWN.search(sentence):
        return "own"
    if _GLASS.search(sentence):
        return "glass"
    return "other" if _OTHER.search(sentence) else "unclear"


def _not_own(sentence: str) -> bool:
    return bool(re.search(r"\b(?:not|isn't|no) (?:\w+ )?(?:my|own|a|me)\b", sentence))


def _denies_other(sentence: str) -> bool:
    return bool(
        re.search(
            r"\b(?:no|not|nobody|isn't|there is no)\b[^.]{0,20}\b(?:other|another|person|one)",
            sentence,
        )
    )


def _plain(text: str) -> str:
    said = without_thinking(text[-_LONGEST_READ_CHARS:]).lower()
    return said.replace("’", "'").replace("*", "").replace("_", " ")
