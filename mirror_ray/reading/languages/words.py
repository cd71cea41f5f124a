"""The words of each language, from the YAML file named after it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.reading.languages import Language

TRANSLATED: tuple[Language, ...] = ("de", "es", "zh", "ja")
"""Every language but English, whose words are part of the readers."""


@cache
def words_of(language: Language) -> Mapping[str, Any]:
    """Return the contents of a language's file."""
    found: Mapping[str, Any] = shipped_yaml("mirror_ray.reading.languages", f"{language}.yaml")
    return found


@cache
def color_words(language: Language) -> Mapping[str, str]:
    """Return every colour word of a language with its English name."""
    said = words_of(language)["colors"]
    names = _one_by_one(said["names"])
    suffix, needs_suffix = said.get("suffix", ""), frozenset(said.get("only_with_suffix", ()))
    found = {
        f"{bright}{word}{ending}": name
        for word, name in names.items()
        for bright in said.get("bright", ("",))
        for ending in said.get("endings", ("",))
    }
    found |= {
        said["shaded"].format(color=word, shade=shade) + ending: f"{english} {names[word]}"
        for shade, english in _one_by_one(said["shades"]).items()
        for word in said.get("shaded_words", names)
        for ending in said.get("endings", ("",))
    }
    found |= _one_by_one(said["others"])
    bare = {word: name for word, name in found.items() if word not in needs_suffix}
    return bare | {f"{word}{suffix}": name for word, name in found.items()}


def _one_by_one(words: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: name for name, some in words.items() for word in some}
