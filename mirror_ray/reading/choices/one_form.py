"""A reply in one form: objects, lists of verdicts, LaTeX and other languages' signs made plain."""

import unicodedata

from mirror_ray.reading.choices.option_phrases import (
    BOXED,
    FOREIGN,
    MACRO,
    NOT_OFFERED,
    OTHERS_DENIED,
    QUOTED_LETTER,
    STRUCK,
    TAGGED,
)
from mirror_ray.reading.replies.objects import answers_named
from mirror_ray.reading.replies.verdicts import verdicts_named


def in_one_form(text: str, letters: str) -> str:
    """The text with what is boxed, tagged, in an object or affirmed in a list marked as the answer.

    Args:
        letters: of the options on which verdicts may be given; "" where an option itself says no.
    """
    plain = STRUCK.sub(" ", unicodedata.normalize("NFKC", answers_named(text)))
    plain = QUOTED_LETTER.sub(r"\1", plain)
    if letters and NOT_OFFERED.fullmatch(plain):
        return ""
    if letters:
        plain = verdicts_named(plain, letters)
    for denied, ours in OTHERS_DENIED:
        plain = denied.sub(ours, plain)
    return _without_latex(plain.translate(FOREIGN))


def _without_latex(text: str) -> str:
    """The text with macros of type taken off and what is boxed marked as the answer."""
    for _ in range(2):
        text = MACRO.sub(r"\1", text)
    text = TAGGED.sub(lambda tag: "\n" if tag[1] or tag[2] else "\nanswer: ", text)
    return BOXED.sub(r" \nfinal answer: \1 \2\n", text)
