"""Actions and keys of a walk as models put them in other languages than English.

A prompt in any language requests the protocol's own keys and letters. [Our decision] Words that a
model still translates are read if their meaning is beyond doubt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mirror_ray.reading.key_names import folded
from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.lexicon import prepared
from mirror_ray.reading.languages.words import TRANSLATED, words_of

_DEGREES = re.compile(r"(?:\bum |\bde )?(?<!\d)30(?!\d) ?(?:grados\b|grad\b|°|度)?")
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class ReplyWords:
    """A language's words: prepared words → action, without degrees; folded name → protocol key."""

    actions: Mapping[str, str]
    keys: Mapping[str, str]

    def action_of(self, written: str) -> str | None:
        """Return the one action that is named, if nothing else is; None if it is not clear."""
        if len(written) > _LONGEST:
            return None
        said = " ".join(_WORD.findall(_DEGREES.sub("", prepared(written))))
        return self.actions.get(said)


def _reply_words(language: Language) -> ReplyWords:
    words = words_of(language)
    phrases: dict[str, list[str]] = words["actions"] | {
        letter: [form.format(side=words["turns"][letter]) for form in words["turns"]["forms"]]
        for letter in ("a", "d")
    }
    said: dict[str, str] = {}
    for letter, some in phrases.items():
        said[letter] = letter
        for phrase in map(prepared, some):
            said |= dict.fromkeys((phrase, f"{letter} {phrase}", f"{phrase} {letter}"), letter)
    keys = {folded(name): key for key, names in words["keys"].items() for name in names}
    return ReplyWords(MappingProxyType(said), MappingProxyType(keys))


REPLY_WORDS: Mapping[Language, ReplyWords] = MappingProxyType(
    {language: _reply_words(language) for language in TRANSLATED}
)
