"""Yes and no as they are said: in words, in several languages, or by an affirmed or denied clause.

“Not necessarily” is neither, unless the question asks what follows.
"""

import re

from mirror_ray.families.metacog.question_facts import Asked
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.replies.answer_phrases import LABEL

UNDECIDED = "not necessarily"

_NO = (
    r"of course (?:it|they|he|she|you|there) (?:is|are|do|does|did|can|could|will|would|has|have)"
    r"(?:n't| not)|(?:absolutely|certainly|definitely|unfortunately|sadly|of course) not|"
    r"i (?:don't|do not) (?:think|believe|suppose) so|never(?=[.!]|$)|not at all|"
    r"not really|not quite|"
    r"not exactly|not true|not correct|not valid|not possible|impossible|incorrect|invalid|untrue|"
    r"false|nope|no way|no|nein|non|não|nee|nej|нет|不是|否|不|いいえ|아니요"
)
_YES = (
    r"yes|yep|yeah|i (?:think|believe|suppose|guess) so|"
    r"true|correct|valid|possible|sí|ja|oui|sim|да|"
    r"(?:absolutely|definitely|certainly|indeed|of course|exactly|right)(?=[.,!]|$)"
    r"|sure (?:is|are|does|do|can|will)"
    r"|of course(?= (?:it|they|he|she|you|there)\b)|是的?|对|はい|네"
)
_NEITHER = (
    r"yes and no|not necessarily|it depends|cannot be determined|can't be determined|"
    r"impossible to (?:say|tell)|not enough information|unclear|unknown"
)
_SAID = re.compile(
    rf"""(?:^|[,:;(–—]\s?|\b(?:that|it|this)'s\s|\b(?:is|be|say|answer|therefore|so|thus|hence|then|well|\w{{1,12}}cally|logically|
    actually|simply|clear|definite|definitive|resounding|strictly\ speaking)\s["“]?)
    (?:(?P<neither>{_NEITHER.replace(" ", "[ ]")})
    |(?P<no>{_NO.replace(" ", "[ ]")})
    |(?P<yes>{_YES.replace(" ", "[ ]")}))
    (?=$|[.,;:!?)"”–—。，、]|\s(?:-|–|—|because|since|it|they|he|she|we|you|i|this|that|these|those|the
    |as|if|in|not|and|but|for|given|based|there|under|according|only|when|unless|by|to|from|all|some
    |every|each|one|here|an?)\b|\s[(–—-])""",
    re.IGNORECASE | re.VERBOSE,
)
_ECHO = re.compile(
    r"(?:indeed,? |i (?:believe|think) )?(?:it|he|she|they|that|you) (?:sure |certainly |indeed )?"
    r"(?:is|was|are|were|does|did|do|can|could|would|will|has|have|must|should)"
    r"(?P<no> ?not|n't)?(?: indeed)?(?:[.!,:;]| [–—-] )",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    r"\bthe (?:claim|statement|inference|conclusion|assertion|argument) "
    r"(?:(?:is|was)(?: |(?=n't))(?:(?P<no>wrong|mistaken|flawed|unsound"
    r"|(?:not|n't) (?:warranted|justified|sound|supported))"
    r"|right|sound|warranted|justified)|(?P<fails>(?:does not|doesn't) (?:follow|hold|stand)|fails)"
    r"|(?:holds|stands|follows)|(?:does|do) (?:indeed )?(?:hold|stand|follow))(?=[.,;:!]| by\b|$)",
    re.IGNORECASE,
)
_SO_ECHO = re.compile(
    r"(?:so|therefore|thus|hence),? (?:it|he|she|they|that) (?:is|was|are|were|does|did|do|can)"
    r"(?P<no> ?not|n't)? (?:an? |the )?(?P<rest>\w[\w' -]{0,80})[.!]?\Z",
    re.IGNORECASE,
)
_BARE = {"affirmative": "yes", "yes": "yes", "y": "yes", "negative": "no", "no": "no", "n": "no"}
_FOLLOWS_NOT = re.compile(
    r"(?:\bnot|n't|\bcannot) (?:necessarily )?"
    r"(?:follow|infer|conclude|deduce|be (?:concluded|inferred|deduced))\b"
    r"|\bno guarantee\b|\bnothing (?:here )?(?:guarantees|forces|requires|tells us)\b",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"(?:yes,? )?(?:it|this|that)(?: (?:does|indeed|certainly|necessarily|logically)){0,2}"
    r" follows?\b",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"(?<![\w.,])\d{1,12}(?![\w]|[.,]\d)")
_DENIES_ALL = re.compile(r"not (?=\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]++")
_REASONS = re.compile(
    r"[:;]\s|—|\s–\s|,? because\b|,? since\b|, (?:as|which|with|for|though|although)\b",
    re.IGNORECASE,
)
_RATHER = re.compile(r",? (?:rather than|instead of|as opposed to)( [^.,;:()\n]{1,60})")
_OF_ANY = re.compile(r"(?:an?|any|every|all|each)\s", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|never|no|cannot|none|neither|nobody|impossible|false|fails?)\b|n't\b"
    r"|\b(?:a mistake|an error|wrong|incorrect|mistaken|inaccurate|misleading) to \w",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()\n]*+\)")
_SUPPOSED = re.compile(r"(?:if|assum\w*|suppos\w*|whether|let(?:'s| us)|imagine)\b", re.IGNORECASE)
_OR = re.compile(r"\bor (?:an? |the |not\b|is |does )?", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|unless|when|whenever|whether|suppose|assum\w*|would|might|could|may|since|because)\b",
    re.IGNORECASE,
)
ENOUGH_ECHO = 0.6
"""Of the question's words, for a clause to affirm or to deny the question."""


def yes_or_no(text: str, bold: tuple[str, ...], asked: Asked) -> str | None:
    """What a statement says in words: yes, no, `UNDECIDED`, or nothing."""
    for part in (*bold, text):
        said = _SAID.search(part)
        if said:
            return _meant(said, asked)
    denied = _judged(text, asked)
    if denied is not None:
        return "no" if denied else "yes"
    bare = text.strip(' .!"“”').casefold()
    if bare in _BARE and bare not in asked.words:
        return _BARE[bare]
    if echo := _ECHO.match(text):
        return "no" if echo["no"] else "yes"
    if asked.asks_what_follows and _FOLLOWS_NOT.search(text):
        return "no"
    return "yes" if asked.asks_what_follows and _FOLLOWS.match(text) else None


def _judged(text: str, asked: Asked) -> bool | None:
    """Whether a text denies what was claimed, or concludes so in the question's words."""
    if judged := _JUDGED.search(text):
        return bool(judged["no"] or judged["fails"])
    so = _SO_ECHO.match(text)
    if so is None or not asked.echoes(so["rest"]) or not asked.coverage(so["rest"]):
        return None
    return so["no"] is not None


def _meant(said: re.Match[str], asked: Asked) -> str | None:
    if said["neither"] and said["neither"].casefold() == "yes and no":
        return None
    if said["neither"]:
        follows = said["neither"].casefold() == UNDECIDED and asked.asks_what_follows
        return "no" if follows else UNDECIDED
    return "no" if said["no"] else "yes"


def by_clause(text: str, asked: Asked) -> str | None:
    """A statement that repeats the question affirms it, or denies it."""
    text = _ASIDE.sub("", text[label.end() :] if (label := LABEL.match(text)) else text).strip(" .")
    scopes = asked.scopes - set(_WORD.findall(text.casefold()))
    if scopes or _SUPPOSED.match(text) or _OR.search(text):
        return None
    if _DENIES_ALL.match(text) and asked.coverage(text) > 0 and asked.echoes(text[4:]):
        return "no"
    # "Composite rather than prime" denies what was asked, "prime rather than composite" affirms it.
    text = _RATHER.sub(lambda found: " not" + found[1] if asked.coverage(found[1]) else "", text)
    main = _REASONS.split(text, maxsplit=1)[0]
    text = main if _takes_up(main, asked) else text
    if not _takes_up(text, asked):
        return None
    if _OF_ANY.match(text) and asked.numbers and not _numbers_of(text) & asked.numbers:
        # What holds for any number defines; it judges none.
        return None
    n_denials = len(_DENIED.findall(text))
    if n_denials < asked.n_denials:
        # That some dancers are climbers denies not that some are none.
        return None
    return "no" if n_denials > asked.n_denials else "yes"


def by_whole_clause(text: str, asked: Asked) -> str | None:
    """A statement that says all of the question, under no condition and of nobody else."""
    if _CONDITION.search(text) or asked.coverage(text) < 1.0:
        return None
    return by_clause(text, asked) if not asked.bystanders & set(text.split()) else None


def _takes_up(text: str, asked: Asked) -> bool:
    return max(asked.coverage(text), _coverage_with_numbers(text, asked)) >= ENOUGH_ECHO


def _numbers_of(text: str) -> set[float]:
    return {float(found) for found in _INTEGER.findall(in_digits(text))}


def _coverage_with_numbers(text: str, asked: Asked) -> float:
    """The share of the question's words and numbers that a text takes up, 0 to 1."""
    numbers = _numbers_of(text) & asked.numbers
    taken_up = asked.coverage(text) * len(asked.words) + len(numbers)
    return taken_up / max(1, len(asked.words) + len(asked.numbers)) if numbers else 0.0
