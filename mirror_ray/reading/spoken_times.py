"""Times of day as they are spoken, as digits: ``a quarter past ten at night``, ``2215 hours``.

Knows English. A time without a half of the day stays within the first twelve hours.
"""

import re

from mirror_ray.reading.number_words import in_digits

_MINUTES = {"quarter": 15, "half": 30}
_PAST = re.compile(
    r"\b(?:an? )?(quarter|half|\d{1,2})(?: minutes?)? (past|to|before|after) (\d{1,2}|one)\b"
    r"(?: o'clock)?(?P<half>[ ]in the (?:morning|afternoon|evening)|[ ]at night|[ ]?[ap]\.?m\b)?",
    re.IGNORECASE,
)
_MILITARY = re.compile(r"(?<![\d:.,])([01]\d|2[0-3])([0-5]\d) ?(?:hours|hrs)\b", re.IGNORECASE)


def in_clock_times(text: str) -> str:
    """Turn spoken times into ``22:15``; “9 to 10” stays."""
    if any(character.isdigit() for character in text):
        return _MILITARY.sub(r"\1:\2", text)
    return _PAST.sub(_put, _MILITARY.sub(r"\1:\2", in_digits(text)))


def _put(found: re.Match[str]) -> str:
    hour = 1 if found[3].casefold() == "one" else int(found[3])
    minutes = _MINUTES.get(found[1].casefold()) or int(found[1])
    if not 1 <= hour <= 12 or not 0 < minutes < 60:
        return found[0]
    half = (found["half"] or "").strip().casefold().removeprefix("in the ").removeprefix("at ")
    at = hour * 60 + (minutes if found[2].casefold() in ("past", "after") else -minutes)
    if half.startswith(("afternoon", "evening", "p")) or (half == "night" and 6 <= hour < 12):
        at += 12 * 60 * (at < 12 * 60)
    elif half and at >= 12 * 60:
        at -= 12 * 60
    return f"{at % 1440 // 60:02}:{at % 60:02}"
