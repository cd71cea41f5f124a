"""A form: the keys that answer a request, its texts, and the reply that they make.

Input from a browser is checked here: a choice must be one of the form's, and a text is bounded."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

MOST_FIELD_CHARS = 8_000
"""Most characters of one text; the rest is cut off."""

Said: TypeAlias = Mapping[str, str]
"""The text of each part of a reply."""


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A key that answers.

    Args:
        key: its name in browsers: ``a``, ``ArrowLeft``.
        label: the button's text.
        says: what it puts into the reply.
        needs: a text field that must be filled in, too; "" for none.
    """

    key: str
    label: str
    says: Said
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A text field of the reply.

    Args:
        name: the part of the reply.
        blank: the reply's text if nothing is written.
        stays: whether the next request of the episode starts with the written text.
        lines: number shown; with several, Enter begins another.
        begun: its initial text.
    """

    name: str
    label: str
    blank: str = ""
    stays: bool = False
    lines: int = 1
    begun: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """How a request is answered.

    Args:
        choices: each answers at once, with the current fields; () if only texts do.
        write: makes the reply from all inputs.
        texts_alone: whether the texts can also answer without a choice.
    """

    choices: tuple[FormChoice, ...]
    fields: tuple[Field, ...]
    write: Callable[[Said], str]
    texts_alone: bool = False

    @property
    def can_send(self) -> bool:
        """Whether the texts answer without a choice."""
        return self.texts_alone or not self.choices

    def texts(self, given: Said) -> dict[str, str]:
        """Return the form's texts from what a browser sent, bounded and with plain line ends."""
        return {
            one.name: "\n".join(given.get(one.name, "")[:MOST_FIELD_CHARS].splitlines()).strip()
            for one in self.fields
        }

    def reply(self, choice: str, given: Said) -> str | None:
        """Return the reply; None if the input answers nothing.

        Args:
            choice: the place of the choice, from 0; "" for the texts alone.
            given: input from a browser.
        """
        texts = self.texts(given)
        if not choice:
            if not self.can_send or not any(texts.values()):
                return None
            chosen: Said = {}
        elif choice.isascii() and choice.isdecimal() and len(choice) < 4:
            if int(choice) >= len(self.choices):
                return None
            pressed = self.choices[int(choice)]
            if pressed.needs and not texts[pressed.needs]:
                return None
            chosen = pressed.says
        else:
            return None
        said = {one.name: texts[one.name] or one.blank for one in self.fields}
        return self.write({**said, **chosen})


def as_json(keys: Sequence[str]) -> Callable[[Said], str]:
    """Return a function that writes a JSON object with these keys in order; missing ones are
    empty."""
    return lambda said: json.dumps({key: said.get(key, "") for key in keys}, ensure_ascii=False)


WORDS = ""
"""The name of a reply's only part if the reply is plain text."""


def as_words(said: Said) -> str:
    """Write the text alone."""
    return said[WORDS]
