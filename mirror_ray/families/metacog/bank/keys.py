"""The keys of generated questions, one function for each kind."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from mirror_ray.families.metacog.bank.question import Key

RightAnswer: TypeAlias = Key | Fraction | float | bool
"""What is right: a key, a number, or yes or no."""


def key_to(answer: RightAnswer) -> Key:
    """Return the key of an answer."""
    if isinstance(answer, bool):
        return yes_no(is_yes=answer)
    return answer if isinstance(answer, Key) else number_key(answer)


def number_key(value: int | Fraction | float, *aliases: str) -> Key:
    """Return a numeric key; fractions in finite decimal form, otherwise to four places."""
    return Key(in_figures(value), "number", aliases)


def text(answer: str, options: Sequence[str], *aliases: str) -> Key:
    """Return a key that is one of several short texts."""
    return Key(answer, "text", aliases, tuple(options))


def letter(position: int, options: Sequence[str]) -> Key:
    """Return the key of a question with lettered options.

    Both the letter and the text of the right option are right.

    Args:
        position: of the right option, from 0.
    """
    letters = tuple("ABCDEFGH"[: len(options)])
    return Key(letters[position], "letter", (options[position],), letters)


def yes_no(*, is_yes: bool) -> Key:
    """Return the key yes or no; true and false are accepted as such."""
    return Key("yes" if is_yes else "no", "boolean", (), ("yes", "no"))


def clock_key(minutes: int) -> Key:
    """Return a time of day, from minutes after midnight, which may be on a later day."""
    return Key(time_of_day(minutes), "time")


def time_of_day(minutes: int) -> str:
    """Return minutes after midnight, of any day, as ``13:05``."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def sequence(parts: Sequence[object]) -> Key:
    """Return the key of several things in order."""
    return Key(", ".join(map(str, parts)), "sequence")


def in_figures(value: int | Fraction | float) -> str:
    """Format a number without grouping, and a whole number without a decimal point."""
    if value == int(value):
        return str(int(value))
    return f"{float(value):.4f}".rstrip("0").rstrip(".")
