"""Other forms of an option, ``NE`` of northeast, and which of those that are named are not meant.

Knows compass directions, adverbs, and what relates something to an option or denies it.
"""

import re
from collections.abc import Sequence

_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_SHORT = dict(zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), _COMPASS, strict=True))
_IN_TWO = re.compile(r"\b(north|south)(?:[ -]|ern[ -])(east|west)", re.IGNORECASE)
_TOWARDS = re.compile(
    rf"\b({'|'.join(sorted(_COMPASS, key=len, reverse=True))})(?:wards?|ern|erly|bound)\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(r"\b([^\W_]{4,30}?)(?:al)?ly\b")
"""“Sarcastically” and “sincerely”."""
_RELATED = re.compile(
    r"(?:\b(?:before|after|past|from|than|opposite(?: of| to)?|unlike|not|never)|n't)"
    r"(?: (?:be|being|in|on|at|the|a|an))*+ \Z",
    re.IGNORECASE,
)
"""What stands right before an option that is not meant: “the day before Monday”, “isn't Monday”."""
_RELATED_CHARS = 40
_ALONE = re.compile(r"(?:\w{1,30} faces )?(N|S|NE|NW|SE|SW|E|W)\.?")


def in_option_words(text: str, options: Sequence[str]) -> str:
    """A text in which other forms of its options are the options' own words."""
    if any(option in _COMPASS for option in options):
        text = _TOWARDS.sub(r"\1", _IN_TWO.sub(r"\1\2", text))
        alone = _ALONE.fullmatch(text)
        return text if alone is None else _SHORT[alone[1]]
    known = {option.casefold() for option in options}
    return _ADVERB.sub(lambda word: word[1] if word[1].casefold() in known else word[0], text)


def without_related(text: str, options: Sequence[str]) -> str:
    """A text without the options that it only relates something to, or denies."""
    for option in options:
        folded, name = text.casefold(), option.casefold()
        if len(folded) != len(text) or not name:
            continue
        kept, begin, at = [], 0, folded.find(name)
        while at >= 0:
            end = at + len(name)
            if _RELATED.search(text[max(0, at - _RELATED_CHARS) : at]):
                kept.append(text[begin:at])
                begin = end
            at = folded.find(name, end)
        text = "".join([*kept, text[begin:]])
    return text
