"""Other forms of an option: ``NE`` and ``north-east`` of northeast, ``sarcastically`` of sarcastic.

Knows compass directions and adverbs.
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
_ALONE = re.compile(r"(?:\w{1,30} faces )?(N|S|NE|NW|SE|SW|E|W)\.?")


def in_option_words(text: str, options: Sequence[str]) -> str:
    """A text in which other forms of its options are the options' own words."""
    if any(option in _COMPASS for option in options):
        text = _TOWARDS.sub(r"\1", _IN_TWO.sub(r"\1\2", text))
        alone = _ALONE.fullmatch(text)
        return text if alone is None else _SHORT[alone[1]]
    known = {option.casefold() for option in options}
    return _ADVERB.sub(lambda word: word[1] if word[1].casefold() in known else word[0], text)
