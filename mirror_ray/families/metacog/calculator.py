"""The simulated calculator: arithmetic in a model's text, computed without `eval`.

Supports numbers, + - * / ^ % ( ), the signs × ÷ − and a few functions; anything else is not
computed. Bounded: an expression is short and shallow, its powers small.
"""

import re
from collections.abc import Callable, Mapping
from math import isfinite, sqrt
from operator import mod, mul, truediv
from types import MappingProxyType

LONGEST_CHARS = 200
DEEPEST = 40
_LARGEST_POWER = 1_000

_FUNCTIONS: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {"sqrt": sqrt, "abs": abs, "round": lambda value: float(round(value))}
)
_PRODUCTS: Mapping[str, Callable[[float, float], float]] = MappingProxyType(
    {"*": mul, "/": truediv, "%": mod}
)

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|(sqrt|abs|round)|(\*\*|[-+*/^%()]))")
_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-", ",": "", "$": "", "€": ""})


class _NotArithmeticError(Exception):
    pass


def calculate(expression: str) -> float | None:
    """Return the value; None if it is not arithmetic, divides by zero or grows out of bounds."""
    if len(expression) > LONGEST_CHARS:
        return None
    try:
        reader = _Reader(_tokens(expression.translate(_SIGNS)))
        value = reader.sum(0)
        reader.expect_end()
    except (_NotArithmeticError, ArithmeticError, ValueError):
        return None
    return value if isinstance(value, float) and isfinite(value) else None


def _tokens(expression: str) -> list[str]:
    tokens, at = [], 0
    end = len(expression.rstrip(" =?"))
    while at < end:
        match = _TOKEN.match(expression, at, end)
        if match is None:
            raise _NotArithmeticError
        tokens.append(match[0].strip())
        at = match.end()
    return tokens


class _Reader:
    """Recursive descent: sums of products of powers of signed atoms."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def sum(self, depth: int) -> float:
        value = self._product(depth)
        while (sign := self._next_of("+-")) is not None:
            other = self._product(depth)
            value = value + other if sign == "+" else value - other
        return value

    def expect_end(self) -> None:
        if self._at != len(self._tokens):
            raise _NotArithmeticError

    def _product(self, depth: int) -> float:
        value = self._signed(depth)
        while (sign := self._next_of("*/%")) is not None:
            if sign == "%" and self._peek() in ("", *"+-*/)"):
                value /= 100  # 15% * 80
                continue
            other = self._signed(depth)
            value = _PRODUCTS[sign](value, other)
        return value

    def _signed(self, depth: int) -> float:
        if depth > DEEPEST:
            raise _NotArithmeticError
        if (sign := self._next_of("+-")) is not None:
            value = self._signed(depth + 1)
            return -value if sign == "-" else value
        base = self._atom(depth)
        if self._next_of(("^", "**")) is not None:
            power = self._signed(depth + 1)
            if abs(power) > _LARGEST_POWER:
                raise _NotArithmeticError
            result = base**power
            if isinstance(result, complex):
                raise _NotArithmeticError
            return float(result)
        return base

    def _atom(self, depth: int) -> float:
        word = self._peek()
        self._at += 1
        if word == "(":
            value = self.sum(depth + 1)
            if self._next_of(")") is None:
                raise _NotArithmeticError
            return value
        if word in _FUNCTIONS:
            if self._peek() != "(":
                raise _NotArithmeticError
            return _FUNCTIONS[word](self._atom(depth + 1))
        if not word or not (word[0].isdigit() or word[0] == "."):
            raise _NotArithmeticError
        return float(word)

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next_of(self, wanted: str | tuple[str, ...]) -> str | None:
        token = self._peek()
        if token and token in wanted:
            self._at += 1
            return token
        return None
