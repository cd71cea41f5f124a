"""Pictures for exports, drawn by the callers, because tables contain only their hashes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Protocol, TypeAlias

from mirror_ray.core.types import Image


class AskPictures(Protocol):
    """What one request showed."""

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures as they were sent, encoded, in order."""
        ...

    @property
    def is_as_recorded(self) -> bool:
        """Whether the pictures have the recorded pixels."""
        ...


DrawnEpisodes: TypeAlias = Iterator[tuple[str, Mapping[int, AskPictures]]]
"""Episode id, and the pictures of its requests by number."""

Draw: TypeAlias = Callable[[Collection[str]], DrawnEpisodes]
"""Draws the pictures of some episodes again, if they show any."""


def no_pictures(_: Collection[str]) -> DrawnEpisodes:
    """Return no pictures: a text-only export."""
    return iter(())
