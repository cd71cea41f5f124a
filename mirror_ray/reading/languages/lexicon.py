"""The words of a language that tell which colour somebody claims to be, as they occur in a text.

One pass over any text: every term is a plain string of a closed list."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.words import color_words, words_of

_Kind = Literal[
    "color",  # of something, on the palette or off it
    "not",  # denies what follows it in its clause, else what precedes it
    "denied",  # denies what precedes it in its clause
    "unknown",  # nothing can be said (yet)
    "whether",  # leaves open what its clause says
    "others",  # somebody else, or several
    "surface",  # a wall and the like, whose colour is nobody's
    "own",  # the speaker's
    "see",  # of the scene
    "cube",
    "stop",  # the end of a clause
    "filler",  # a word that contains a term and does not mean it
]

_MOST_CHARS = 200
"""Only the beginning of a longer text is read."""

_LATIN = "a-zà-öø-ɏ"
_BEGINS_LATIN = re.compile(f"[{_LATIN}]")
_BLANK = re.compile(r"[\s*_`\"'“”«»„]+")
_STOPS: Mapping[str, tuple[_Kind, str]] = dict.fromkeys(",;.:()!?、。—–/", ("stop", ""))
_ENGLISH_COLORS = {
    **{name: name for name in ("red", "green", "blue", "yellow", "orange", "purple", "pink")},
    **{name: name for name in ("cyan", "brown", "white", "gray", "black")},
    "grey": "gray",
    **{
        f"{shade} {name}": f"{shade} {name}"
        for shade in ("light", "dark")
        for name in ("red", "green", "blue", "purple", "pink", "brown")
    },
}
_ENGLISH: Mapping[str, tuple[_Kind, str]] = {
    **{word: ("color", name) for word, name in _ENGLISH_COLORS.items()},
    **dict.fromkeys(("not", "never"), ("not", "")),
    **dict.fromkeys(
        ("unknown", "unclear", "unsure", "uncertain", "undetermined", "not visible", "not sure"),
        ("unknown", ""),
    ),
}


@dataclass(frozen=True, slots=True)
class Term:
    """A term's characters, `start` to `end`, in the prepared text; its colour in English, if it is
    one; and whether it belongs to the lexicon's own language rather than English."""

    kind: _Kind
    color: str
    start: int
    end: int
    is_native: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The terms of one language and of English: models mix the two.

    Args:
        meanings: prepared term → its meaning and, for a colour, its English name.
        native: the terms of the language itself.
        pattern: of every term, compiled on first use, because few processes need it.
        joins: what may come between a colour and its surface.
        surface_first: the surface may come first, as in "pared blanca".
    """

    meanings: Mapping[str, tuple[_Kind, str]]
    native: frozenset[str]
    pattern: str
    joins: frozenset[str]
    surface_first: bool = False

    def terms(self, prepared: str) -> Iterator[Term]:
        """Return a prepared text's terms in order; where several match, the longest one."""
        for found in _compiled(self.pattern).finditer(prepared):
            kind, color = self.meanings[found[0]]
            is_native = found[0] in self.native
            yield Term(kind, color, found.start(), found.end(), is_native)


@cache
def lexicon_of(language: Language) -> Lexicon:
    """Return the lexicon of a language other than English."""
    own: dict[str, tuple[_Kind, str]] = {
        prepared(word): ("color", name) for word, name in color_words(language).items()
    }
    words = words_of(language)
    for kind, some in words["claims"].items():
        own |= {prepared(word): (kind, "") for word in some}
    meanings = {**_STOPS, **_ENGLISH, **own}
    longest_first = sorted(meanings, key=lambda term: (-len(term), term))
    latin = [term for term in longest_first if _BEGINS_LATIN.match(term)]
    others = [term for term in longest_first if not _BEGINS_LATIN.match(term)]
    pattern = (
        f"(?<![{_LATIN}])(?:{'|'.join(map(re.escape, latin))})(?![{_LATIN}])"
        f"|{'|'.join(map(re.escape, others))}"
    )
    joins = frozenset(words.get("joins", ("",)))
    return Lexicon(meanings, frozenset(own), pattern, joins, words.get("surface_first", False))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def prepared(text: str) -> str:
    """Return a text without case, typography and Unicode's variants of characters."""
    plain = unicodedata.normalize("NFKC", text[:_MOST_CHARS]).casefold()
    return unicodedata.normalize("NFKC", _BLANK.sub(" ", plain)).strip()
