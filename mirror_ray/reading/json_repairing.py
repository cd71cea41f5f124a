"""Bounds the work of json_repair.

It looks ahead at every bracket and quotation mark, so that a hostile text costs the square of its
length; its own code may also fail."""

from dataclasses import dataclass
from typing import Any, SupportsIndex

LOOKS_PER_CHAR = 50
"""Character reads per character of the text. Broken replies need up to a dozen."""

_LOOKS_BESIDE = 10_000


def repaired(text: str) -> Any:
    """Return json_repair's result for a text; None if it takes too much work, or fails."""
    # Imported late: few replies need it, and most commands read none.
    import json_repair  # noqa: PLC0415

    try:
        return json_repair.loads(
            _Watched.of(text, _Looks(_LOOKS_BESIDE + LOOKS_PER_CHAR * len(text)))
        )
    except Exception:  # json_repair guesses, and fails in its own code on some texts.
        return None


@dataclass(slots=True)
class _Looks:
    left: int


class _TooMuchWorkError(Exception):
    pass


class _Watched(str):
    """A text that counts reads of its characters.

    The texts that json_repair derives from it (slices, concatenations) count too."""

    _looks: _Looks

    @classmethod
    def of(cls, text: str, looks: _Looks) -> "_Watched":
        watched = cls(text)
        watched._looks = looks
        return watched

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        self._looks.left -= 1
        if self._looks.left < 0:
            raise _TooMuchWorkError
        found = super().__getitem__(key)
        is_beginning = isinstance(key, slice) and key.start is None
        return _Watched.of(found, self._looks) if is_beginning else found

    def __add__(self, more: str) -> "_Watched":
        return _Watched.of(super().__add__(more), self._looks)
