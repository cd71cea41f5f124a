"""Pictures for exports, drawn by the callers, because tables contain only their hashes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mirror_ray.core.types import Image


@dataclass(frozen=True, slots=True)
class AskPictures:
    """The pictures of one request.

    Args:
        images: encoded as the model was sent them, in order.
        is_as_recorded: their pixels are those that were recorded, by their hash; another OpenGL may
            draw the same scene with other pixels.
    """

    images: tuple[Image, ...]
    is_as_recorded: bool


DrawnEpisodes: TypeAlias = Iterator[tuple[str, Mapping[int, AskPictures]]]
"""Episode id, and the pictures of its requests by number."""

Draw: TypeAlias = Callable[[Collection[str]], DrawnEpisodes]
"""Draws the pictures of some episodes again, if they show any."""


def no_pictures(_: Collection[str]) -> DrawnEpisodes:
    """Return no pictures: a text-only export."""
    return iter(())
