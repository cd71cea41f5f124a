"""Reads a reply's answer to a question, given its kind and how the question offers it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.matching import sequence_parts
from mirror_ray.families.metacog.steps import LONGEST_STEPS_CHARS, numbered_steps
from mirror_ray.reading.commitment import Commitment, commitment
from mirror_ray.reading.kinds.kind import Kind
from mirror_ray.reading.kinds.numbers import Numbers
from mirror_ray.reading.kinds.options import Options, OptionWords
from mirror_ray.reading.kinds.orders import Orders
from mirror_ray.reading.kinds.times import Times
from mirror_ray.reading.kinds.words import OneOf, OwnWords
from mirror_ray.reading.kinds.yes_no import YesNo
from mirror_ray.reading.number_words import in_one_grouping
from mirror_ray.reading.plain_words import plain
from mirror_ray.reading.question_facts import AskedQuestion, question_facts
from mirror_ray.reading.replies.statements import statements
from mirror_ray.reading.replies.verdicts import verdicts_named

LONGEST_ANSWER_CHARS = 500
_STEP_CHARS = 200
_YES_NO = frozenset({"yes", "no"})


def answer_of(text: str, question: str, key: Key | None, *, is_cut: bool = False) -> Commitment:
    """Return the answer that a text commits itself to.

    Args:
        question: as the model read it.
        key: used for the kind and the options, never for what is right. None: any words.
        is_cut: the reply did not end by itself.
    """
    facts = question_facts(
        question, "open" if key is None else key.kind, key.options if key else ()
    )
    kind = _kind(question, facts, key)
    if key is not None and key.kind == "sequence" and numbered_steps(key.answer):
        steps = None if is_cut else _steps(text)
        return Commitment(steps, "a list of steps" if steps else "unread")
    if isinstance(kind, Options):
        text = verdicts_named(text, kind.letters, facts.texts)
    elif isinstance(kind, Numbers):
        text = in_one_grouping(text, facts.numbers)
    found = commitment(text, kind, only_labelled=is_cut)
    value = None if found.value is None else found.value[:LONGEST_ANSWER_CHARS]
    return Commitment(value, found.form)


def _kind(question: str, facts: AskedQuestion, key: Key | None) -> Kind:
    kind = "open" if key is None else key.kind
    if key is not None and kind in ("letter", "sequence"):
        return _options(facts, key) if kind == "letter" else _order(question, key)
    if kind == "text" and set(facts.options) == _YES_NO:
        kind = "boolean"
    if kind == "text" and facts.options:
        return OneOf(facts)
    return _KINDS.get(kind, OwnWords)(facts)


_KINDS: Mapping[str, Callable[[AskedQuestion], Kind]] = {
    "number": Numbers,
    "time": Times,
    "boolean": lambda facts: YesNo(facts.asks_what_follows),
}


def _options(facts: AskedQuestion, key: Key) -> Options:
    return Options("".join(key.options), _Texts(facts.texts, key.options), by_words=False)


def _order(question: str, key: Key) -> Orders:
    parts, named = sequence_parts(key), f" {plain(question)} "
    is_named = all(f" {part} " in named for part in parts)
    return Orders(tuple(sorted(parts)) if is_named else (), max(1, key.answer.count("[")))


def _steps(text: str) -> str | None:
    said = statements(text)
    lines = [each.text[:_STEP_CHARS] for each in said if each.item or each.heading or each.bold]
    return "\n".join(lines)[:LONGEST_STEPS_CHARS] or None


@dataclass(frozen=True, slots=True)
class _Texts(OptionWords):
    texts: tuple[str, ...]
    letters: tuple[str, ...]

    def stated(self, piece: str) -> str | None:
        said = plain(piece)
        at = [number for number, text in enumerate(self.texts) if said and plain(text) == said]
        return self.letters[at[0]] if len(at) == 1 else None

    def mentioned(self, sentence: str) -> frozenset[str]:
        said = f" {plain(sentence)} "
        spelled = [plain(text) for text in self.texts]
        return frozenset(
            letter
            for letter, text in zip(self.letters, spelled, strict=False)
            if _LONG_ENOUGH.search(text) and f" {text} " in said
        )


_LONG_ENOUGH = re.compile(r"\w")
