"""A question and its key: domains, difficulties and kinds of answer."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

DOMAINS = (
    "arithmetic",
    "spatial",
    "temporal",
    "linguistic",
    "logical",
    "social",
    "factual",
    "procedural",
)
DIFFICULTIES = ("easy", "medium", "hard")

Kind = Literal["number", "text", "letter", "boolean", "time", "sequence", "open"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Key:
    """The right answer.

    Args:
        answer: in words, as a person would write it.
        kind: how an answer is compared with it; ``open``: only a judge could.
        aliases: other right answers.
        options: all answers the question leaves open, the right one among them; empty if it
            leaves any.
    """

    answer: str
    kind: Kind
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A question without its place in a bank."""

    text: str
    key: Key


@dataclass(frozen=True, slots=True)
class Question:
    """A question in its place.

    Args:
        item_id: unique within its bank.
        difficulty: None if the bank does not state it.
        level: of the bank's levels of difficulty; None in a bank that has none.
    """

    item_id: str
    domain: str
    subcategory: str
    difficulty: str | None
    text: str
    key: Key
    level: int | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """Its fields, JSON-able; a level only where there is one: they enter identities."""
        facts = asdict(self)
        if self.level is None:
            del facts["level"]
        return facts

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Question":
        """The inverse of `facts`, lists for tuples allowed."""
        key = facts["key"]
        return cls(
            **{
                **facts,
                "key": Key(
                    key["answer"], key["kind"], tuple(key["aliases"]), tuple(key["options"])
                ),
            }
        )


def number(value: int | Fraction | float, *aliases: str) -> Key:
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


def clock(minutes: int) -> Key:
    """A time of day, from minutes after midnight, any number of days on."""
    return Key(time_of_day(minutes), "time")


def time_of_day(minutes: int) -> str:
    """Return minutes after midnight, of any day, as ``13:05``."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def sequence(parts: Sequence[object]) -> Key:
    """Several things in their order."""
    return Key(", ".join(map(str, parts)), "sequence")


def listed(options: Sequence[str]) -> str:
    """Options under letters, one a line."""
    return "\n".join(f"{letter}) {option}" for letter, option in zip("ABCDEFGH", options))  # noqa: B905


def in_figures(value: int | Fraction | float) -> str:
    """A number without grouping; whole ones without a point."""
    if value == int(value):
        return str(int(value))
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def in_words(names: Sequence[str]) -> str:
    """``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
