"""Reads a chosen option from a reply in any wording.

It knows the six answers and their synonyms; `mirror_ray.reading` knows how models commit to one of
several options. The committed letter counts: further text explains it and does not name another
option. A letter with another option's words, or several options without a commitment, are not an
answer. Reading never raises."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.core.types import CUT_SHORT, ParseStatus
from mirror_ray.families.mirrorqa.item import LETTERS, written
from mirror_ray.reading.commitment import commitment
from mirror_ray.reading.kinds.options import Options, OptionWords
from mirror_ray.reading.replies.verdicts import verdicts_named
from mirror_ray.reading.usable_text import usable_text

_LIMB = r"(?:most)?(?=\b|leg|limb|paw|foot|hoof)"
_SYNONYMS = (
    (re.compile(rf"\b(hind|back|rear|posterior){_LIMB}"), "rear"),
    (re.compile(rf"\b(fore|front|anterior){_LIMB}"), "front"),
)
_SIDE = r"(left|right)"
_END = r"(front|rear)"
_FOUR = re.compile(
    rf"\b(?:{_SIDE}[ ,-]*{_END}|{_END}[ ,-]*(?:(?:leg|paw|limb|foot)[ ,-]{{1,3}})?{_SIDE})\b"
)
_TWO = re.compile(rf"\b{_SIDE}\b")
_BESIDE = re.compile(
    r"\b(?:la|le|el|die|der|das|main|mano|hand|arm|brazo|bras|the|its|her|his|their|a|an|one|side|hand|hands|arm|leg|limb|paw"
    r"|foot|hoof|feet|glove|boot|sock|ear|eye|wrist|knee|elbow|person|dog|animal)\b"
    r"|\b(?:bein|pfote|patte|jambe|pata|pierna|zampa|gamba|рука|руку|рукой|нога|ногу|лапа|лапу)\b"
    r"|[手腕腿足脚肢です은는이입니다]"
)
_RIGHT_IS = re.compile(
    r"\bright(?= (?:answer|option|choice|one is|letter)\b)|\bleft(?= with\b)"
    r"|\b(?:either|both|neither|any|all|none|each|options?|answers?)\b[^.;\n]{0,40}"
    r"\b(?:be|is|are|was) right\b|(?<![a-z'’])[a-d] (?:is|was|must be) right\b"
)
_NO_SIDE = (
    (re.compile(r"\b(?:all right|that(?:['’]s| is) right)\s?[,:!.–—-]\s{0,2}", re.I), " "),
    (
        re.compile(
            r"\A\s{0,4}right\s?[,!.–—-]{1,3}\s{1,2}"
            r"(?=let|so\b(?! right| left)|now|okay|i'll|first)",
            re.I,
        ),
        "",
    ),
    (re.compile(r",\s{0,2}right\s?\?", re.I), "."),
    (re.compile(r"\byou(?:['’]re| are)(?: \w+ly| quite)? right\b(?! hand)", re.I), " "),
    (re.compile(r"\bnothing(?: is|['’]s)? left\b|\bleft(?= to (?:do|say|tell))\b", re.I), " "),
    (
        re.compile(
            r"\bright(?= (?:now|above|below|behind|next|before|after|beside|away|here|there"
            r"|in front)\b)",
            re.I,
        ),
        " ",
    ),
    (re.compile(r"\bwhat(?:['’]s| is) left is\b", re.I), "it is"),
)
"""Words that look like a side, and their replacements."""
_TRANSLATED = (
    (re.compile(r"\b(?:vorder\w{0,12}|avant|delanter[ao]|dianteir[ao])\b", re.I), " front "),
    (re.compile(r"\b(?:hinter(?:bein|pfote|lauf)\w{0,2}|arrière|traser[ao])\b", re.I), " rear "),
    (re.compile(r"(?<=[左右])前"), " front "),
    (re.compile(r"(?<=[左右])[后後]"), " rear "),
    (
        re.compile(
            r"左|왼(?:쪽|손|발|팔|다리)|\bлев(?:ая|ую|ой|ое|ый|ого|ом)\b|\b(?:izquierd[ao]|gauche|linke?[rsn]?|esquerd[ao]|sinistr[ao])\b",
            re.I,
        ),
        " left ",
    ),
    (
        re.compile(
            r"右|오른(?:쪽|손|발|팔|다리)|\bправ(?:ая|ую|ой|ое|ый|ого|ом)\b|\b(?:derech[ao]|droite?|rechte?[rsn]?|direit[ao]|destr[ao])\b",
            re.I,
        ),
        " right ",
    ),
)
"""The sides in languages into which models sometimes switch."""
_MOST_PIECE_CHARS = 60


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reply chose: `option` is None when `status` is ``failed``."""

    option: str | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()


def read_choice(
    text: str, options: Sequence[str], finish_reason: str | None = None, prompt: str = ""
) -> Choice:
    """Return the option that a reply names.

    Args:
        options: answers in the order in which they were offered.
        finish_reason: of the reply; one of `CUT_SHORT` means that the reply did not end by itself.
        prompt: the question, which a reply may repeat.
    """
    is_cut = finish_reason in CUT_SHORT
    whole = text.strip()
    for letter, offered, line in zip(LETTERS, options, written(options), strict=False):
        is_exact = whole in (letter, f"{letter}.", line, line.removeprefix(f"{letter}. "))
        if is_exact and not is_cut:
            return Choice(offered, "strict")
    usable = usable_text(text, prompt, is_cut=is_cut)
    left = usable.text
    for pattern, ours in (*_TRANSLATED, *_NO_SIDE):
        left = pattern.sub(ours, left)
    letters = LETTERS[: len(options)]
    found = commitment(
        verdicts_named(left, letters),
        Options(letters, _Sides(tuple(options))),
        only_labelled=is_cut,
    )
    if found.value is None:
        why = "repeats the prompt" if usable.is_echo else found.form
        return Choice(None, "failed", ("cut off",) if is_cut else (*usable.fixes, why))
    return Choice(options[LETTERS.index(found.value)], "cleaned", (*usable.fixes, found.form))


@dataclass(frozen=True, slots=True)
class _Sides(OptionWords):
    """The options in words: two sides, or an animal's four legs."""

    options: tuple[str, ...]

    def stated(self, piece: str) -> str | None:
        """Return the letter of the one option that `piece` names; None if it names none or several.

        Articles and the name of the limb are ignored."""
        if len(piece) > _MOST_PIECE_CHARS:
            return None
        words, _ = _in_our_words(piece)
        named = self._named(words)
        if len(named) != 1:
            return None
        pattern = _FOUR if len(self.options) == len(LETTERS) else _TWO
        rest = _BESIDE.sub(" ", pattern.sub(" ", words))
        return next(iter(named)) if not re.search(r"\w", rest) else None

    def mentioned(self, sentence: str) -> frozenset[str]:
        """Return the letters of all options named; a side alone does not name one of four."""
        return self._named(_in_our_words(_RIGHT_IS.sub(" ", sentence.lower()))[0])

    def _named(self, words: str) -> frozenset[str]:
        if len(self.options) == len(LETTERS):
            pairs = (match.groups() for match in _FOUR.finditer(words))
            sides = {f"{a or d} {b or c}" for a, b, c, d in pairs}
        else:
            sides = set(_TWO.findall(words))
        return frozenset(
            letter for letter, option in zip(LETTERS, self.options, strict=False) if option in sides
        )


def _in_our_words(part: str) -> tuple[str, tuple[str, ...]]:
    """Return the text in lower case with synonyms replaced, and which were replaced."""
    words = part.lower()
    liberties: list[str] = []
    for pattern, ours in _SYNONYMS:
        others = sorted(set(pattern.findall(words)) - {ours})
        liberties += [f"{other!r} read as {ours!r}" for other in others]
        words = pattern.sub(f"{ours} ", words)
    return words, tuple(liberties)
