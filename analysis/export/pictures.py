"""Pictures for exports, drawn by their callers: tables have only hashes of them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Protocol, TypeAlias

from mirror_ray.core.types import Image


class AskPictures(Protocol):
    """What one request showed."""

    @property
    def images(self) -> tuple[Image, ...]:
        """Encoded as they were sent, in order."""
        ...

    @property
    def is_as_recorded(self) -> bool:
        """Whether they have the pixels that were recorded."""
        ...


DrawnEpisodes: TypeAlias = Iterator[tuple[str, Mapping[int, AskPictures]]]
"""Episode id, and the pictures of its requests by number."""

Draw: TypeAlias = Callable[[Collection[str]], DrawnEpisodes]
"""Draws some episodes again, as far as they show pictures."""


def no_pictures(_: Collection[str]) -> DrawnEpisodes:
    """Words alone."""
    return iter(())
