"""Converts numbers in English words to digits: ``forty-two``, ``minus five``, ``six and a half``.

Knows words of numbers up to the millions, and of fractions down to tenths."""

import re
from collections.abc import Container, Mapping
from types import MappingProxyType

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen",),
)
_TENS = (*("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),)
_VALUES: Mapping[str, int] = MappingProxyType(
    {
        **{word: value for value, word in enumerate(_SMALL)},
        **{word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)},
        "dozen": 12,
    }
)
_SCALES: Mapping[str, int] = MappingProxyType(
    {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
)
_WORD = "|".join((*_VALUES, *_SCALES))
_NUMBER = re.compile(rf"\b(?:{_WORD})\b(?>(?:(?:[ -]|[ ]and[ ])(?:{_WORD})\b)*)", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]++")
_DECIMAL_COMMA = re.compile(
    r"(?<![\d,.])(\d++(?=,\d{1,2}(?!\d))|0(?=,)|\d{4,}+(?=,)),(\d++)(?![\d,])"
)
_COINS = re.compile(
    r"(?<![\d.,])(\d{1,9}) (dollar|euro|pound|franc)s?,? and (\d{1,2}) "
    r"(?:cent|penn|penc|centime)\w{0,3}\b",
    re.IGNORECASE,
)
_HALVES: Mapping[str, str] = MappingProxyType({"half": "1/2", "quarter": "1/4"})
_AND_A_HALF = re.compile(r"(?<![\d.,/])(\d{1,9}) and (?:a|one) (half|quarter)\b", re.IGNORECASE)
_PARTS = (
    *("half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_FRACTION = re.compile(
    rf"\b(?:(one|an?(?=[ ]\w{{4,8}}[ ]of[ ](?!an?[ ]|past)))[ -]({'|'.join(_PARTS)})"
    rf"|({'|'.join(_SMALL[2:12])})[ -]({'|'.join(_PARTS[1:])})s)\b(?![ -]\w+er\b)",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"(?<![\w.,])(\d{1,6}(?:\.\d{1,3})?)k\b")
_GROUPED_BY_POINTS = re.compile(
    r"(?<![\d.,])\d{1,3}(?:(?>(?:\.\d{3}){2,6})(?:,\d{1,4})?|\.\d{3},\d{1,4})(?![\d.,]\d)"
)
_BELOW_ZERO = re.compile(
    r"(?<![\w.,-])(\d{1,9}(?:\.\d{1,9})?[ ]?(?:°|degrees?\b)?[ ]?(?:[CF]\b|celsius|fahrenheit)?)"
    r"[ ]?below (?:zero|0)\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"(\A|[:=(,][ ]?|\b(?:is|be|to|equals|gives|get|exactly|only)[ ])(?:minus|negative)[ ](?=\d)",
    re.IGNORECASE,
)


def in_digits(text: str) -> str:
    """Write number words as digits, ``2,5`` as ``2.5`` and ``0,375`` as ``0.375``.

    "One" is a pronoun as often as a number, so it counts as a number only alone. In a text with
    digits, only numbers of several words are converted."""
    has_digits = any(character.isdigit() for character in text)
    whole = text.strip(" .")

    def put(found: re.Match[str]) -> str:
        is_pronoun = found[0].casefold() == "one" and found[0] != whole
        before = found.string[max(0, found.start() - 9) : found.start()].casefold()
        is_word = has_digits and found[0].isalpha() and not before.endswith(("minus ", "negative "))
        return found[0] if is_pronoun or is_word else _value_of(found[0])

    digits = _GROUPED_BY_POINTS.sub(lambda found: found[0].replace(".", ""), text)
    digits = _THOUSANDS.sub(lambda found: f"{float(found[1]) * 1000:.12g}", digits)
    digits = _FRACTION.sub(_fraction, _DECIMAL_COMMA.sub(r"\1.\2", digits))
    digits = _NEGATIVE.sub(r"\1-", _NUMBER.sub(put, digits))
    digits = _AND_A_HALF.sub(lambda found: f"{found[1]} {_HALVES[found[2].casefold()]}", digits)
    digits = _BELOW_ZERO.sub(r"-\1", digits)
    return _COINS.sub(lambda found: f"{found[1]}.{found[3]:>02} {found[2]}", digits)


def in_one_grouping(text: str, given: Container[float]) -> str:
    """Write ``48.000 × 1,125`` as ``48000 × 1.125``, if 48,000 is a given number.

    A text that groups a given number by points groups all by points, with commas for decimals."""
    pointed = [found[0] for found in _POINTED.finditer(text)]
    if not any(
        float(each.replace(".", "")) in given and float(each) not in given for each in pointed
    ):
        return text
    return _COMMA.sub(".", _POINTED.sub(lambda found: found[0].replace(".", ""), text))


_POINTED = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?![\d.])")
_COMMA = re.compile(r"(?<=\d),(?=\d)")


def _fraction(found: re.Match[str]) -> str:
    above, part = (found[3] or "one").casefold(), (found[2] or found[4]).casefold()
    return f"{_SMALL.index(above)}/{_PARTS.index(part) + 2}"


def _value_of(words: str) -> str:
    total = group = 0
    for word in _WORDS.findall(words.casefold()):
        if word == "hundred":
            group = (group or 1) * 100
        elif word in _SCALES:
            total, group = total + (group or 1) * _SCALES[word], 0
        elif word == "dozen":
            group = (group or 1) * 12
        else:
            group += _VALUES.get(word, 0)
    return str(total + group)
