"""Reads which of the named models a reply calls the author, by its letter or its name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from mirror_ray.families.textmirror.read import Read
from mirror_ray.reading.commitment import commitment
from mirror_ray.reading.kinds.options import Options, OptionWords

MOST_OFFERED = len(ascii_uppercase)

_MOST_PIECE_CHARS = 200
_SIGNS = re.compile(r"[^a-z0-9]+")


def read_attribution(text: str, offered: Sequence[str]) -> Read[int]:
    """Return the 1-based number of the model, among the `offered` names, that a reply commits
    to."""
    letters = ascii_uppercase[: len(offered)]
    bare = text.strip().strip(".)(:*\"' ").upper()
    if len(bare) == 1 and bare in letters:
        return Read(letters.index(bare) + 1, "strict" if text == bare else "cleaned")
    spelled = [
        (letter, _plain(name))
        for letter, model in zip(letters, offered, strict=True)
        for name in (model, model.rpartition("/")[2])
    ]
    spelled.sort(key=lambda one: len(one[1]), reverse=True)
    found = commitment(text, Options(letters, _Names(tuple(spelled))))
    if found.value is None:
        return Read(None, "failed", problem=f"no model that is read: {found.form}")
    return Read(letters.index(found.value) + 1, "coerced", (found.form,))


@dataclass(frozen=True, slots=True)
class _Names(OptionWords):
    """The models' names, with and without their providers, the longest first."""

    spelled: tuple[tuple[str, str], ...]

    def stated(self, piece: str) -> str | None:
        """Return the letter of the model that a few words name."""
        if len(piece) > _MOST_PIECE_CHARS:
            return None
        said = _plain(piece)
        letters = {letter for letter, name in self.spelled if name == said}
        return letters.pop() if len(letters) == 1 else None

    def mentioned(self, sentence: str) -> frozenset[str]:
        """Return the letters of all models named; a name within a longer one does not count."""
        said, letters = f" {_plain(sentence)} ", set()
        for letter, name in self.spelled:
            if f" {name} " in said:
                letters.add(letter)
                said = said.replace(f" {name} ", " , ")
        return frozenset(letters)


def _plain(text: str) -> str:
    return _SIGNS.sub(" ", text.casefold()).strip()
