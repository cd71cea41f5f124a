"""Reads the chosen option from a reply.

It knows the letters, and how to distinguish the options' texts from prose; `mirror_ray.reading`
knows how models commit to an option. The committed letter counts: further text explains it and does
not change it (arXiv 2602.15892 reads the letter). Case distinguishes the letter D from the option
"d". A letter with another option's text, or a truncated reply, counts as a Fail, which is not
requested again. Reading never raises."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.core.types import ParseStatus, Reply
from mirror_ray.families.flipset.settings import Prompting
from mirror_ray.families.flipset.trials import LABELS
from mirror_ray.reading.commitment import commitment
from mirror_ray.reading.kinds.options import Options, OptionWords
from mirror_ray.reading.replies.verdicts import verdicts_named
from mirror_ray.reading.usable_text import usable_text

_SEES = re.compile(
    r"\b(?:monkey|toy|animal)(?:'s (?:view|side|perspective):|(?: would| will| can)? (?:sees?"
    r"|reads?):?)[ ]"
    r"(?:the )?(?:(?:number|text|string|letters?|word|digits?|characters?) )?",
    re.IGNORECASE,
)
"""A statement within a sentence of what the question asks for: “the monkey sees 18”."""
_CONCLUSION = re.compile(
    r"(?:\b(?:is|be|sees?|reads?|says?|shows?|becomes?|gives?|as|looks? like|appears? as|that['’]s"
    r"|it['’]s|sieht|liest|voit|lit|ve|vede|vê|lee|legge|lê|видит|читает)\b"
    r"|→|\bto the (?:monkey|toy|animal),"
    r"|\bmonkey(?:['’]s (?:view|side|perspective))?:)[: ]"
    r"(?:(?:the )?(?:number|text|string|letters?|word|digits?|characters?)[: ])?"
    r"|(?:看到|看见|看出|读到|见到|看成|看作|写着|写)(?:的(?:数字|内容|字母)?)?[是为了]?[: ]?"
)
_NAMED_AS = re.compile(r"\Athe (?:number|letters|word|text|string|digits?) ", re.IGNORECASE)
_ARTICLE = re.compile(r"an?\s(?=\S)")
_WRAPPING = " \t\r\n*_`\"'“”‘’{}[]()$.,;:!?"
_END = re.compile(
    r"[,;.!?(—–]| - | (?:because|since|as|when|from|if|to|for|on|in|after|once|again|upside)\b"
)
_MOST_PIECE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """How a reply was read; `label` is None if the status is "failed"."""

    label: str | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()


def read_answer(
    reply: Reply, options: Sequence[str], prompting: Prompting, prompt: str = ""
) -> Answer:
    """Return the label, A onwards, of the option that the reply chose.

    Args:
        options: their texts, in the order of their labels.
        prompting: what was asked for: the letter alone, or a last line that has it.
        prompt: the question, which a reply may repeat.
    """
    labels = LABELS[: len(options)]
    whole = reply.text.strip()
    if whole in options and not reply.is_cut:
        return Answer(
            LABELS[list(options).index(whole)], "cleaned", ("took the text for its letter",)
        )
    usable = usable_text(reply.text, prompt, is_cut=reply.is_cut)
    words = _Texts(tuple(options))
    text = verdicts_named(usable.text, labels, options)
    found = commitment(text, Options(labels, words, leads=_SEES), only_labelled=reply.is_cut)
    if found.value is None:
        why = "repeats the prompt" if usable.is_echo else found.form
        return Answer(None, "failed", ("cut off",) if reply.is_cut else (*usable.fixes, why))
    exact = whole == found.value or (
        prompting == "cot" and whole.rpartition("\n")[2] == f"Answer: {found.value}"
    )
    return Answer(
        found.value, "strict" if exact else "cleaned", () if exact else (*usable.fixes, found.form)
    )


@dataclass(frozen=True, slots=True)
class _Texts(OptionWords):
    options: tuple[str, ...]

    def stated(self, piece: str) -> str | None:
        """Return the label of the option with this text, ignoring case and punctuation."""
        if len(piece) > _MOST_PIECE_CHARS:
            return None
        said = _NAMED_AS.sub("", piece.strip(_WRAPPING)).strip(_WRAPPING)
        plain = [option.strip(_WRAPPING) for option in self.options]
        if said in plain:
            return LABELS[plain.index(said)]
        joined = "".join(said.split())
        if len(joined) > 1 and said == " ".join(joined) and joined in plain:
            return LABELS[plain.index(joined)]  # Spelled out: "8 7".
        folded = [option.casefold() for option in plain]
        # One character in the wrong case is an option's letter rather than its text.
        if len(said) > 1 and folded.count(said.casefold()) == 1:
            return LABELS[folded.index(said.casefold())]
        return None

    def mentioned(self, sentence: str) -> frozenset[str]:
        """Return the labels of texts that, by the sentence, are seen or read."""
        found = {self.stated(sentence)}
        for verb in _CONCLUSION.finditer(sentence):
            piece = sentence[verb.end() : verb.end() + _MOST_PIECE_CHARS]
            said = _ARTICLE.sub("", piece, count=1) if _ARTICLE.match(piece) else piece
            found |= {
                self.stated(one) for each in (piece, said) for one in (each, _END.split(each, 1)[0])
            }
        return frozenset(label for label in found if label is not None)

    def found_in(self, sentence: str) -> frozenset[str]:
        """Return the labels of texts that occur in a sentence as separate words."""
        words = {word.strip(_WRAPPING) for word in sentence.split()}
        return frozenset(
            LABELS[at]
            for at, option in enumerate(self.options)
            if option in words or (" " in option and option in sentence)
        )
