"""Parses quantities in text: units, currencies, fractions, percent, grouping, clock times."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mirror_ray.core.untrusted import int_of

_MINUSES = str.maketrans(
    {"−": "-", "–": "-", "\u00a0": " ", "\u202f": " ", "’": "'"}
    | {"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "⅛": " 1/8"}
)
_PLAIN = (
    r"(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:'\d{3})+(?!\d)|\d{1,3}(?:[ ]\d{3})+(?!\d)|\d+)(?:\.\d+)?"
    r"|\.\d+"
)
_NUMBER = re.compile(
    rf"""(?<![\w.])(?P<sign>-\s?)?(?P<money>[$€£]\s?)?
    (?:(?P<whole>\d+)\s+(?P<up>\d+)\s?/\s?(?P<down>\d+)   # 1 1/2
    |(?P<over>\d+)\s?/\s?(?P<under>\d+)(?![\d/])             # 3/4
    |(?P<plain>{_PLAIN})(?:\s?[x×*]\s?10\s?\^\s?(?P<power>[+-]?\d+)|e(?P<exp>[+-]?\d+))?)
    (?:\s?(?P<scale>thousand|million|billion)\b)?
    (?:\s?(?P<percent>%|percent\b|per\ cent\b)
    |[\s-]?(?P<unit>[a-z°]+(?:/[a-z]+)?[²³]?)(?![\w/]))?""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOCK = re.compile(
    r"(?<![\d:])(?P<hour>2[0-4]|[01]?\d)(?!\d)(?:[:.h](?P<minute>[0-5]\d))?\s*(?P<half>[ap]\.?\s?m\b\.?)?",
    re.IGNORECASE,
)

_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_GROUPING = str.maketrans(dict.fromkeys(", '"))
_LARGEST = 1e200
"""Larger values are ignored, because conversions or sums of them might not be finite."""

_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("time", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("time", 60.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ("time", 3_600.0)),
    **dict.fromkeys(("day", "days"), ("time", 86_400.0)),
    **dict.fromkeys(("week", "weeks"), ("time", 604_800.0)),
    **dict.fromkeys(("mm", "millimetre", "millimetres", "millimeters"), ("length", 0.001)),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeters"), ("length", 0.01)),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), ("length", 1.0)),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometers"), ("length", 1_000.0)),
    **dict.fromkeys(("mg", "milligram", "milligrams"), ("mass", 1e-6)),
    **dict.fromkeys(("g", "gram", "grams"), ("mass", 0.001)),
    **dict.fromkeys(("kg", "kilogram", "kilograms"), ("mass", 1.0)),
    **dict.fromkeys(("ml", "millilitre", "millilitres", "milliliters"), ("volume", 0.001)),
    **dict.fromkeys(("l", "litre", "litres", "liter", "liters"), ("volume", 1.0)),
}  # fmt: skip
"""For each unit, what it measures, and its size in the base unit of that dimension."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in the written unit (percent as points, 12 for 12 %), and the unit in lower case,
    known or not; None if no unit is written."""

    value: float
    percent: bool = False
    unit: str | None = None

    @property
    def dimension(self) -> str | None:
        """What the unit measures; None for unknown units."""
        known = _UNITS.get(self.unit or "")
        return known[0] if known else None

    @property
    def base_value(self) -> float:
        """The value in the base unit of its dimension. Raise KeyError without a known unit."""
        return self.value * _UNITS[self.unit or ""][1]


def quantities(text: str) -> list[Quantity]:
    """Return a text's quantities in order; ``2 hours 5 minutes`` is one, in the smallest unit."""
    return list(_joined(_found(text.translate(_MINUSES))))


def _found(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        part = match.groupdict()
        value = _value(part)
        if value is None or value > _LARGEST:
            continue
        unit = part["unit"].lower() if part["unit"] else None
        yield Quantity(-value if part["sign"] else value, part["percent"] is not None, unit)


def _value(part: Mapping[str, str | None]) -> float | None:
    if part["down"] is not None:
        whole, up, down = (int_of(part[name] or "") for name in ("whole", "up", "down"))
        return whole + up / down if whole is not None and up is not None and down else None
    if part["under"] is not None:
        over, under = int_of(part["over"] or ""), int_of(part["under"])
        return over / under if over is not None and under else None
    power = int_of(part["power"] or part["exp"] or "0")
    if power is None or abs(power) > 300:
        return None
    scale = _SCALES.get((part["scale"] or "").casefold(), 1.0)
    return float((part["plain"] or "").translate(_GROUPING)) * 10.0**power * scale


def _joined(found: Iterator[Quantity]) -> Iterator[Quantity]:
    last: Quantity | None = None
    for each in found:
        if last is not None and last.dimension == each.dimension == "time":
            smaller, larger = _UNITS[each.unit or ""][1], _UNITS[last.unit or ""][1]
            if smaller < larger:
                last = Quantity((last.base_value + each.base_value) / smaller, unit=each.unit)
                continue
        if last is not None:
            yield last
        last = each
    if last is not None:
        yield last


def clock_times(text: str) -> list[int]:
    """Return times of day in minutes after midnight; a bare number needs a minute or am/pm."""
    times = []
    for match in _CLOCK.finditer(text.translate(_MINUSES)):
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
        half = (match["half"] or "").lower()[:1]
        if match["minute"] is None and not half:
            continue
        if half and 1 <= hour <= 12:
            hour = hour % 12 + (12 if half == "p" else 0)
        times.append((hour * 60 + minute) % 1440)
    return times
