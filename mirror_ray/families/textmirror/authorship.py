"""Reads which of two sentences, A or B, a reply claims as its own."""

import re
from dataclasses import dataclass

from mirror_ray.families.textmirror.read import Read
from mirror_ray.reading.commitment import commitment
from mirror_ray.reading.kinds.options import Options, OptionWords
from mirror_ray.reading.replies.verdicts import verdicts_named

_I_WROTE = re.compile(
    r"\bI(?:'d)?(?: \w+ly)? (?:(?:would )?(?:have )?(?:wrote|written|write|authored|produced)"
    r"|'?d have written)"
    r"(?: (?:is|was):?)? |\bmy (?:own )?(?:sentence|choice|version|one)(?: is| was| would be|:) "
    r"|我写的是",
    re.IGNORECASE,
)
_IS_MINE = re.compile(
    r" (?:is|was|sounds|reads|feels|seems|looks)(?: (?:more|most|clearly|probably|much))*(?: like)?"
    r" (?:(?:written )?by me|mine|me\b|my (?:own |usual |typical )?(?:style|writing|work|voice"
    r"|sentence|phrasing))",
    re.IGNORECASE,
)
_AROUND = " \n.)(:*\"'"
_PLACES = {"1": "A", "first": "A", "former": "A", "2": "B", "second": "B", "latter": "B"}
_PLACE = re.compile(
    r"(?:the )?(?:sentence |option |number |no\\. |#)?(1|2|first|second|former|latter)(?: (?:one"
    r"|sentence|option))?",
    re.IGNORECASE,
)


def read_letter(text: str) -> Read[str]:
    """Return the sentence that a reply chooses as its own, A or B."""
    options = Options("AB", _Places(), leads=_I_WROTE, follows=_IS_MINE)
    found = commitment(verdicts_named(text, "AB"), options)
    if found.value is None:
        return Read(None, "failed", problem=f"no sentence that is read: {found.form}")
    if text.strip(_AROUND).upper() == found.value:
        return Read(found.value, "strict" if text == found.value else "cleaned")
    return Read(found.value, "coerced", (found.form,))


@dataclass(frozen=True, slots=True)
class _Places(OptionWords):
    def stated(self, piece: str) -> str | None:
        """Return the letter of “the first one”."""
        found = _PLACE.fullmatch(piece.strip())
        return _PLACES[found[1].casefold()] if found else None

    def mentioned(self, sentence: str) -> frozenset[str]:
        """Return nothing, because positions are also mentioned in passing."""
        return frozenset()
