"""A question and its key: domains, difficulties and kinds of answer."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

DOMAINS = (
    *("arithmetic", "spatial", "temporal", "linguistic"),
    *("logical", "social", "factual", "procedural"),
)
DIFFICULTIES = ("easy", "medium", "hard")

AnswerKind = Literal["number", "text", "letter", "boolean", "time", "sequence", "open"]


@dataclass(frozen=True, slots=True)
class Key:
    """The right answer.

    Args:
        answer: in words, as a person would write it.
        kind: how an answer is compared with it; ``open`` needs a judge.
        aliases: other right answers.
        options: all possible answers, the right one included; empty if not limited.
    """

    answer: str
    kind: AnswerKind
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A question without its place in a bank."""

    text: str
    key: Key


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its place in a bank.

    Args:
        item_id: unique within its bank.
        difficulty: None if the bank does not state it.
        level: level of difficulty; None in a bank without levels.
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
        """Return the fields as JSON-able data. The level is left out if None, because facts enter
        identities."""
        facts = asdict(self)
        if self.level is None:
            del facts["level"]
        return facts

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Question":
        """Return the inverse of `facts`, accepting lists for tuples."""
        key = facts["key"]
        return cls(
            **{
                **facts,
                "key": Key(
                    key["answer"], key["kind"], tuple(key["aliases"]), tuple(key["options"])
                ),
            }
        )


def lettered_options(options: Sequence[str]) -> str:
    """Return the options with letters, one per line."""
    return "\n".join(f"{letter}) {option}" for letter, option in zip("ABCDEFGH", options))  # noqa: B905


def in_words(names: Sequence[str]) -> str:
    """Return the names as ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
