"""Which of two sentences a reply says its author wrote: A or B, however it is put.

A reply that names both counts by the one it chooses; one that chooses both says nothing.
"""

import re

from mirror_ray.families.textmirror.read import Read
from mirror_ray.reading.replies.answer_phrases import CLAUSE, LABEL, OUTRIGHT, TAKEN_BACK
from mirror_ray.reading.replies.objects import answers_named
from mirror_ray.reading.replies.own_turn import own_turn
from mirror_ray.reading.replies.statements import Statement, part_of, statements
from mirror_ray.reading.replies.verdicts import verdicts_named

_LETTER = re.compile(
    r"""
    (?<![\w-]) (?<!\w[.'’])      # of no longer word, name or abbreviation
    (
        B
        | (?<=[a-z,;][ ]) A       # within a sentence an article has no capital
        | A (?! [^\S\n]+ (?! (?i: {never_after_an_article} ) \b ) \w )
    )
    (?! \w | -\w )
    """.replace(
        "{never_after_an_article}",
        "because|since|as|and|or|but|is|was|has|seems|sounds|feels|reads|looks|matches|fits"
        "|the|this|that|these|it|its|i|my|not|rather|while",
    ),
    re.VERBOSE,
)
_IN_OTHER_WORDS = re.compile(
    r"(?<![\w.,-])(?:#\s?)?([12])(?![\w%-]|[.,]\d)"
    r"|\b(?:(first)|(second)|(former)|(latter))\b(?=\s(?:one|sentence|of\sthe|option)|[\s.,!*]*$|,\s(?:because|since|as)\b)",
    re.IGNORECASE,
)
_NAMES = {"1": "A", "first": "A", "former": "A", "2": "B", "second": "B", "latter": "B"}
_I_WROTE = re.compile(
    r"\bi\b(?:[ ](?:\w+[ ])?)?(?:wrote|would[ ](?:have[ ])?(?:write|written)|authored|produced)\b"
    r"|\bmy[ ](?:own[ ])?(?:sentence|choice|version|one)[ ](?:is|was|would[ ]be)\b",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"\b(?:by[ ]me|mine|like[ ]me|myself"
    r"|my[ ](?:[\w-]+[ ])?(?:own|usual|typical|style|writing|work|voice|rhythm|tone|cadence"
    r"|phrasing|habits?|structure|prose|hand|wording|diction|syntax|habitual|natural))\b"
    r"|(?:^|[:–—-]\s)me[.!]?$|写的是",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:(?:some(?:body|one)|anyone)[ ]else|another"
    r"|(?:other|different)[ ](?:author|writer|person)"
    r"|i[ ]can(?:no|')t[ ](?:say|tell|claim|know)"
    r"|not[ ](?:written[ ])?(?:mine|me|by[ ]me|my)|\bprefer"
    r"|\bbetter\b(?![ ](?:than|match|fit|reflect|suit))"
    r"|i(?:'d|[ ]would|[ ]tend[ ]to)[ ](?:usually[ ]|rather[ ])?avoid"
    r"|would(?:n't|[ ]not)[ ](?:have[ ])?(?:write|written)"
    r"|(?:did[ ]not|didn't|never)[ ]write|less[ ]like[ ]m[ey]"
    r"|(?:seem|sound|read|feel)s[ ](?:artificial|odd|strange|foreign|off|unfamiliar)"
    r"|(?<=n't[ ])(?:written[ ])?(?:mine|me|by[ ]me))\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r",? (?:rather than|not|instead of|over|than|since|because)\b", re.IGNORECASE
)
_JOINED = re.compile(
    r"; (?=(?:sentence |option )?[AB]\b)|[,;] (?:and|but|while|whereas)\b| (?:while|whereas)\b"
    r"|,? (?=(?:al|even )?though\b)"
    r"| and (?=(?:sentence )?[AB] )"
    r"|,? (?:and )?(?=(?:i|some(?:one|body) else|another \w+) wrote\b)",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\b(?:neither )?(?:sentences? )?A (?:and|n?or) (?:sentence )?B "
    r"(?=(?:are|were|both|could|might|may|seem|have|sound|feel|share|look|read)s?\b)",
    re.IGNORECASE,
)
_CONCEDES = re.compile(r"(?:(?:al|even )?though|while|whilst|whereas)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b[Nn]ot (?:sentence |option )?[AB]\b|\b[AB] (?:does not|doesn't|is not|isn't|cannot|can't)\b"
)
_ANEW = re.compile(r"(?:hmm|actually|correction|or rather|rather|on reflection)\b", re.IGNORECASE)
_LEADS = re.compile(r"(?:sentence |option )?([AB])(?= ?[–—-] )")
_CALLED = re.compile(r"(?:sentence|option) \s{0,2}", re.IGNORECASE)


def read_letter(text: str) -> Read[str]:
    """A or B.

    The sentence that is chosen outright, in bold or as one's own counts, if no other one is; where
    none is chosen, the only one that is named.
    """
    text = verdicts_named(answers_named(own_turn(text)), "AB")
    stripped = _CALLED.sub("", text.strip().strip(".)(:*\"' "), count=1)
    if stripped.upper() in ("A", "B"):
        return Read(stripped.upper(), "strict" if text in ("A", "B") else "cleaned")
    chosen: set[str] = set()
    named: set[str] = set()
    for each in statements(text):
        taken_back = [*TAKEN_BACK.finditer(each.text)]
        if taken_back or (_ANEW.match(each.text) and _named(each.text)):
            chosen.clear()
            named.clear()
        rest = each.text[taken_back[-1].end() if taken_back else 0 :]
        rest = _BOTH.sub("they ", rest)
        said = part_of(each, rest.lstrip(" ,.:;!…–—-") if taken_back else rest)
        for clause in (part for one in CLAUSE.split(said.text) for part in _JOINED.split(one)):
            part = part_of(said, clause)
            kept = _DENIED.sub(" ", part.text)
            part = part_of(part, kept.partition(", ")[2] if _CONCEDES.match(kept) else kept)
            if not _OTHERS.search(part.text):
                named |= _named(part.text)
                chosen |= _chosen(part)
    found = chosen or named
    if len(found) == 1:
        return Read(found.pop(), "coerced", ("found the choice within the reply",))
    return Read(None, "failed", problem="neither sentence, or both")


def _chosen(said: Statement) -> set[str]:
    """The sentence that a statement chooses; both where it wavers, none where it chooses none."""
    text = said.text
    chosen = [text[found.end() :] for found in (*OUTRIGHT.finditer(text), *_I_WROTE.finditer(text))]
    if lead := _LEADS.match(text):
        return {lead[1]}
    if label := LABEL.match(text):
        chosen.append(text[label.end() :])
    is_short = len(text.split()) <= _FEW_WORDS and not text.endswith("?")
    if is_short or _MINE.search(text):
        chosen.append(text)
    for part in (", ".join(said.bold), *reversed(chosen)):
        found = _named(_COMPARES.split(part, maxsplit=1)[0])
        if found:
            return found
    return set()


_FEW_WORDS = 3


def _named(text: str) -> set[str]:
    in_other_words = {
        _NAMES[next(filter(None, match.groups())).casefold()]
        for match in _IN_OTHER_WORDS.finditer(text)
    }
    return _letters(text) | in_other_words


def _letters(text: str) -> set[str]:
    """A and B, as far as a text names them.

    [Our decision] "A" that begins a sentence and has a word after it on its line is the English
    article ("A careful choice"), unless no article stands before such a word ("A because …").
    """
    return set(_LETTER.findall(text))
