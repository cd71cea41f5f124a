"""Numbers in English words, as digits: ``forty-two``, ``three hundred and five``.

Knows words of numbers up to the millions.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

_SMALL = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = (
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
)
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
_NUMBER = re.compile(rf"\b(?:{_WORD})\b(?:(?:[ -]|[ ]and[ ])(?:{_WORD})\b)*+", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]++")
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d++(?=,\d{1,2}(?!\d))|0(?=,)),(\d++)(?![\d,])")
_COINS = re.compile(
    r"(?<![\d.,])(\d{1,9}) (dollar|euro|pound|franc)s?,? and (\d{1,2}) "
    r"(?:cent|penn|penc|centime)\w{0,3}\b",
    re.IGNORECASE,
)


def in_digits(text: str) -> str:
    """Words of numbers become digits, and ``2,5`` becomes ``2.5``, ``0,375`` ``0.375``.

    "One" is a pronoun as often as a number: in company it stays. Beside digits only numbers of
    several words are taken.
    """
    has_digits = any(character.isdigit() for character in text)
    whole = text.strip(" .")

    def put(found: re.Match[str]) -> str:
        is_pronoun = found[0].casefold() == "one" and found[0] != whole
        is_word = has_digits and found[0].isalpha()
        return found[0] if is_pronoun or is_word else _value_of(found[0])

    digits = _NUMBER.sub(put, _DECIMAL_COMMA.sub(r"\1.\2", text))
    return _COINS.sub(lambda found: f"{found[1]}.{found[3]:>02} {found[2]}", digits)


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
