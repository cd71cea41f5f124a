"""The words of generated questions, from the YAML file that has the name of their module."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, Key


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
        """Return one of several wordings, drawn, with its slots filled."""
        return str(d.pick(self.by_name[name])).format_map(values)

    def draft(self, name: str, key: Key, /, **values: object) -> Draft:
        """Return a question with its key."""
        return Draft(self.say(name, **values), key)


def question_texts(module: str) -> QuestionTexts:
    """Return the texts of a module of this family.

    Args:
        module: its full name; its YAML file is next to it.
    """
    package, _, name = module.rpartition(".")
    return QuestionTexts(shipped_yaml(package, f"{name}.yaml"))
