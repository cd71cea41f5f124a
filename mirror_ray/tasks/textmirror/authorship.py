"""Which of two sentences a reply says its author wrote: A or B, however it is put.

Knows letters, numbers and ordinals, and who is said to have written what; does not know which is
right. A reply that names both counts by the one it chooses; one that chooses both says nothing.
"""

import re

from mirror_ray.tasks.replies.phrases import CLAUSE, LABEL, OUTRIGHT, TAKEN_BACK
from mirror_ray.tasks.replies.statements import Statement, part_of, statements
from mirror_ray.tasks.textmirror.read import Read

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
    r"|\b(?:(first)|(second)|(former)|(latter))\b(?=\s(?:one|sentence|of\sthe|option)|[\s.,!*]*$)",
    re.IGNORECASE,
)
_NAMES = {"1": "A", "first": "A", "former": "A", "2": "B", "second": "B", "latter": "B"}
_I_WROTE = re.compile(
    r"\bi\b(?:[ ](?:\w+[ ])?)?(?:wrote|would[ ](?:have[ ])?(?:write|written)|authored|produced)\b"
    r"|\bmy[ ](?:own[ ])?(?:sentence|choice|version|one)[ ](?:is|was|would[ ]be)\b",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"\b(?:by[ ]me|mine|like[ ]me|my[ ](?:own|style|writing|work|voice))\b", re.IGNORECASE
)
_OTHERS = re.compile(
    r"\b(?:(?:some(?:body|one)|anyone)[ ]else|another"
    r"|(?:other|different)[ ](?:author|writer|person)"
    r"|not[ ](?:mine|me|by[ ]me|my)|(?:did[ ]not|didn't|never)[ ]write|less[ ]like[ ]m[ey])\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(r",? (?:rather than|not|instead of|over)\b", re.IGNORECASE)
_JOINED = re.compile(r"[,;] (?:and|but|while|whereas)\b| (?:while|whereas)\b", re.IGNORECASE)


def read_letter(text: str) -> Read[str]:
    """A or B.

    The sentence that is chosen outright, in bold or as one's own counts, if no other one is; where
    none is chosen, the only one that is named.
    """
    stripped = text.strip().strip(".)(:*\"' ")
    if stripped.upper() in ("A", "B"):
        return Read(stripped.upper(), "strict" if text in ("A", "B") else "cleaned")
    chosen: set[str] = set()
    named: set[str] = set()
    for said in statements(text):
        if TAKEN_BACK.search(said.text):
            chosen.clear()
            named.clear()
        for clause in (part for each in CLAUSE.split(said.text) for part in _JOINED.split(each)):
            part = part_of(said, clause)
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
