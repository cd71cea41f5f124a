"""The simulated calculator: arithmetic in a model's text, computed without `eval`.

Supports numbers, + - * / ^ % ( ), the signs × ÷ − and a few functions; nothing else is computed. It
is bounded: an expression is short and shallow, and its powers are small."""

import ast
import re
from collections.abc import Callable, Mapping
from math import isfinite, sqrt
from operator import add, mod, mul, neg, pos, sub, truediv

LONGEST_CHARS = 200
DEEPEST = 40
_LARGEST_POWER = 1_000

_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "sqrt": sqrt,
    "abs": abs,
    "round": lambda value: float(round(value)),
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[float], float]] = {ast.UAdd: pos, ast.USub: neg}
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
    ast.Mod: mod,
}
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|(sqrt|abs|round)|(\*\*|[-+*/^%()]))")
_SPELLINGS = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-", ",": "", "$": "", "€": ""})
_BEFORE_PERCENT_ENDS = frozenset(("", *"+-*/)"))


class _NotArithmeticError(Exception):
    pass


def calculate(expression: str) -> float | None:
    """Return the value; None if the expression is not arithmetic, divides by zero or becomes too
    large."""
    if len(expression) > LONGEST_CHARS:
        return None
    try:
        tree = ast.parse(_in_python(expression.translate(_SPELLINGS)), mode="eval")
        value = _value(tree.body, 0)
    except (_NotArithmeticError, ArithmeticError, ValueError, SyntaxError, MemoryError):
        return None
    return value if isfinite(value) else None


def _in_python(expression: str) -> str:
    """Return the tokens in Python's spelling: 2^3 as 2**3, 15% * 80 as 15/100 * 80."""
    words, at, depth = [], 0, 0
    end = len(expression.rstrip(" =?"))
    while at < end:
        match = _TOKEN.match(expression, at, end)
        if match is None or depth > DEEPEST:
            raise _NotArithmeticError
        word = repr(float(match[1])) if match[1] else match[0].strip()
        depth += (word == "(") - (word == ")")
        words.append(word)
        at = match.end()
    for place, following in enumerate([*words[1:], ""][: len(words)]):
        if words[place] == "%" and following in _BEFORE_PERCENT_ENDS:
            words[place] = "/ 100.0"
    return " ".join("**" if word == "^" else word for word in words)


def _value(node: ast.expr, depth: int) -> float:
    if depth > DEEPEST:
        raise _NotArithmeticError
    match node:
        case ast.Constant(value=float(value)):
            return value
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(operand, depth + 1))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base, power = _value(left, depth), _value(right, depth + 1)
            if abs(power) > _LARGEST_POWER or (base < 0 and not power.is_integer()):
                raise _NotArithmeticError
            return float(base**power)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            return _OPERATORS[type(operator)](_value(left, depth), _value(right, depth))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
            return float(_FUNCTIONS[name](_value(argument, depth + 1)))
    raise _NotArithmeticError
