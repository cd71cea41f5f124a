"""Tools to write generated questions: shared words, texts of their modules, and forms."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.keys import RightAnswer
from mirror_ray.families.metacog.bank.question import Draft

LEVELS = 10
"""Levels run from 1 to this; today's models find about the first three easy."""

Template: TypeAlias = Callable[[Draws, int], Draft]
"""Makes a question with its key from draws and a level (0 easy, 1 medium, 2 hard)."""

_words = shipped_yaml("mirror_ray.families.metacog.bank", "words.yaml")
NAMES, THINGS, JOBS, DAYS = (
    tuple[str, ...](_words[name]) for name in ("names", "things", "jobs", "days")
)


@dataclass(frozen=True, slots=True)
class QuestionTexts:
    """Texts with slots, and lists of words, by name."""

    by_name: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.by_name[name]

    def say(self, name: str, /, **values: object) -> str:
        """Return a text with its slots filled."""
        return str(self.by_name[name]).format_map(values)

    def say_one(self, d: Draws, name: str, /, **values: object) -> str:
        """Return one of several wordings, drawn at random, with its slots filled."""
        return str(d.pick(self.by_name[name])).format_map(values)

    def draft(self, name: str, answer: RightAnswer, /, **values: object) -> Draft:
        """Return a question."""
        return Draft(self.say(name, **values), keys.key_to(answer))

    def draft_one(self, d: Draws, name: str, answer: RightAnswer, /, **values: object) -> Draft:
        """Return a question in one of several wordings, drawn at random."""
        return Draft(self.say_one(d, name, **values), keys.key_to(answer))


def question_texts(module: str) -> QuestionTexts:
    """Return the texts in the YAML file next to a module of this family, given its full name."""
    package, _, name = module.rpartition(".")
    return QuestionTexts(shipped_yaml(package, f"{name}.yaml"))


def one_of(*forms: Template) -> Template:
    """Return a kind of question that takes its forms equally often."""

    def draft(d: Draws, level: int) -> Draft:
        return d.pick(forms)(d, level)

    return draft


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[0].upper() + text[1:]
