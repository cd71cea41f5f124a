"""An explicit yes or no; a sentence that repeats the question is neither."""

import re
from dataclasses import dataclass

from mirror_ray.reading.grammar import NEVER
from mirror_ray.reading.kinds.kind import Kind

UNDECIDED = "not necessarily"

_LEAD = (
    r"(?:(?:technically|well|actually|so|then|logically|strictly speaking|in short|in fact"
    r"|clearly|definitely"
    r"|simply|oh|a (?:clear|definite|resounding)|based on [^,.\n]{1,60}"
    r"|according to [^,.\n]{1,60}|therefore|thus|hence|that's a|\w{2,12}ly),? ){0,2}"
)
_NO = (
    r"no|nope|nein|non|não|nee|nej|нет|不是|否|不|いいえ|아니요|아니|false|falsch|falso|incorrect|untrue|invalid"
    r"|negative|no way|not really|not at all|not true|not correct|not valid|absolutely not"
    r"|certainly not|definitely not"
    r"|of course not|i don't (?:think|believe) so"
)
_YES = (
    r"yes|yep|yeah|ja|oui|sí|si|sim|да|是的?|对|はい|네|true|wahr|verdadero|correct|valid|affirmative"
    r"|absolutely|definitely|certainly|of course|indeed|i (?:think|believe) so"
)
_SAID = re.compile(
    rf"[\"'“(\[]?{_LEAD}(?:(?P<neither>not necessarily)|(?P<no>{_NO})|(?P<yes>{_YES}))[\"'”)\]]?"
    r"(?P<rest>$|[.,;:!)(–—。，].*|[ ][(–—-].*|[ ](?:because|since|as|it|they|he|she|we|you|i|this"
    r"|that|these|those|there|all|some|every|each"
    r"|one|by|in|if|given|based|the|an?|for|according|here|indeed|absolutely)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_OTHER = re.compile(
    r"(?:[,;.]? ?(?:and|or|but)? ?(?:also )?(?:yes|no)\b|,? but\b| doubt)", re.IGNORECASE
)
_ECHO = re.compile(
    r"(?:it|he|she|they|that|you) (?:certainly |indeed )?(?:is|was|are|were|does|did|do|can|could"
    r"|will|would|has|have|must|should)"
    r"(?P<no> ?not|n't)?[.!]?",
    re.IGNORECASE,
)
"""“It is.”, “They don't.”"""
_CONTRADICTS = re.compile(
    r"\b(?:so|therefore|thus|hence)\b[^.;\n]{0,80}(?:\bnot\b|n't\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class YesNo(Kind):
    """Yes, no, or `UNDECIDED`. With `asks_what_follows`, “not necessarily” means no."""

    remark = NEVER

    asks_what_follows: bool = False

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return yes or no if a piece begins with such a word."""
        found = _SAID.fullmatch(piece.strip(" \t\n*_`"))
        spelled = piece.strip(" \t\n*_`").replace("can't", "can not").replace("won't", "will not")
        if echo := _ECHO.fullmatch(spelled):
            return "no" if echo["no"] else "yes"
        if found is None or _OTHER.match(found["rest"]):
            return None
        if found["neither"]:
            return "no" if self.asks_what_follows else UNDECIDED
        if found["yes"] and _CONTRADICTS.search(found["rest"]):
            return None
        return "no" if found["no"] else "yes"

    def same(self, one: str, other: str) -> bool:
        """Return whether two values are equal, or both deny certainty."""
        return one == other or ("yes" not in (one, other))
