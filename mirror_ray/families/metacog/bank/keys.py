"""The keys of generated questions, one function for each kind."""

from collections.abc import Sequence
from fractions import Fraction

from mirror_ray.families.metacog.bank.question import Key


def number_key(value: int | Fraction | float, *aliases: str) -> Key:
    """A numeric key; fractions that end are written as decimals, others to four places."""
    return Key(in_figures(value), "number", aliases)


def text(answer: str, options: Sequence[str], *aliases: str) -> Key:
    """A short text out of the options."""
    return Key(answer, "text", aliases, tuple(options))


def letter(position: int, options: Sequence[str]) -> Key:
    """The letter of the right one of the listed options, or its text; positions from 0."""
    letters = tuple("ABCDEFGH"[: len(options)])
    return Key(letters[position], "letter", (options[position],), letters)


def yes_no(*, is_yes: bool) -> Key:
    """Yes or no; true and false are taken for them."""
    return Key("yes" if is_yes else "no", "boolean", (), ("yes", "no"))


def clock_key(minutes: int) -> Key:
    """A time of day, from minutes after midnight, any number of days on."""
    return Key(time_of_day(minutes), "time")


def time_of_day(minutes: int) -> str:
    """Return minutes after midnight, of any day, as ``13:05``."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def sequence(parts: Sequence[object]) -> Key:
    """Several things in their order."""
    return Key(", ".join(map(str, parts)), "sequence")


def in_figures(value: int | Fraction | float) -> str:
    """A number without grouping; whole ones without a point."""
    if value == int(value):
        return str(int(value))
    return f"{float(value):.4f}".rstrip("0").rstrip(".")
