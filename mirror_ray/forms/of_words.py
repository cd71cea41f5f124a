"""The form of a request for text, derived from what the prompt says about the reply:

lettered options, a number in a range, lines, or a word."""

import re
from collections.abc import Callable

from mirror_ray.forms.form import WORDS, Field, Form, FormChoice, Said, as_words

# Prompts are bounded, and adjacent repetitions share no character.
_OPTION = re.compile(r"^(?P<letter>[A-Z])[.:)] (?P<text>[^\n]*)$", re.MULTILINE)
_NUMBER = re.compile(r"\bonly the integer order of the sentence from 1-(?P<last>[0-9]{1,2})\b")
_OR_ZERO = re.compile(r"\bor 0 if\b")
_LINE = re.compile(r"^(?P<label>[A-Z][A-Z ]{1,20}): \[(?P<what>[^\]\n]*)\]", re.MULTILINE)
_PART = re.compile(r"^(?:PART [0-9]$|[A-Z][A-Z ]{1,20}: \[[^\]\n]*\])", re.MULTILINE)
_ALONE = re.compile(r"^(?P<word>SKIP|KEEP)$", re.MULTILINE)
_MESSAGE = "\nUSER:\n"
"""Precedes each message of a conversation; the last message that names a form counts."""
_NUMBER_ONLY = "Do not answer the task. Reply with the number only."
_LAST_LINE = "Answer: <letter>"
_LONGEST_TEXT = 6
_MOST_FIELDS = 4


def form_of_words(user: str) -> Form:
    """Return the form for this prompt."""
    for message in reversed(user.split(_MESSAGE)):
        labelled = [(one["label"], one["what"]) for one in _LINE.finditer(message)]
        alone = tuple(dict.fromkeys(one["word"] for one in _ALONE.finditer(message)))
        if labelled or alone:
            return _labelled(message, labelled, alone)
    if user.endswith(_NUMBER_ONLY):
        return Form((), (Field(WORDS, "the number"),), as_words)
    numbers = _NUMBER.search(user)
    if numbers:
        first = 0 if _OR_ZERO.search(user) else 1
        return _pressed([(str(n), str(n)) for n in range(first, int(numbers["last"]) + 1)], str)
    options = lettered(user)
    if options:
        ending = "Answer: {}" if _LAST_LINE in user else "{}"
        return _pressed(options, ending.format)
    return _free()


def lettered(user: str) -> list[tuple[str, str]]:
    """Return (letter, text) of the options at the prompt's end, from A; [] without options."""
    found: list[tuple[str, str]] = []
    for one in _OPTION.finditer(user):
        if one["letter"] == "A":
            found = []
        if one["letter"] == chr(ord("A") + len(found)):
            found.append((one["letter"], one["text"]))
    return found if len(found) > 1 else []


def choices_of(
    options: list[tuple[str, str]], write: Callable[[str], str]
) -> tuple[FormChoice, ...]:
    """Return a key for each of the options, (letter or digit, text)."""
    return tuple(
        FormChoice(name.lower(), name if name == text else f"{name} · {text}", {WORDS: write(name)})
        for name, text in options
    )


def _pressed(options: list[tuple[str, str]], write: Callable[[str], str]) -> Form:
    if len(options) > 9 and options[0][0].isdecimal():
        return _free()  # a key is one digit
    return Form(choices_of(options, write), (), as_words)


def _free() -> Form:
    return Form((), (Field(WORDS, "your reply", lines=_LONGEST_TEXT),), as_words)


def _labelled(user: str, lines: list[tuple[str, str]], alone: tuple[str, ...]) -> Form:
    choices = tuple(FormChoice(word[0].lower(), word, {WORDS: word}) for word in alone)
    labels = [label for label, _ in lines]
    if len(set(labels)) == len(labels) <= _MOST_FIELDS and not user.count("\nPART "):
        fields = tuple(Field(label, f"{label} · {what}") for label, what in lines)
        return Form(choices, fields, _lines(labels), texts_alone=bool(fields))
    asked = "\n".join(one[0].partition("[")[0] for one in _PART.finditer(user))
    return Form(choices, (Field(WORDS, "your reply", lines=8, begun=asked),), as_words, True)


def _lines(labels: list[str]) -> Callable[[Said], str]:
    def write(said: Said) -> str:
        if said.get(WORDS):
            return said[WORDS]
        return "\n".join(f"{label}: {said[label]}" for label in labels if said[label])

    return write
