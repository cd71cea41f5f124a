"""Pictures for exports. The callers draw them, because tables contain only their hashes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mirror_ray.core.types import Image


@dataclass(frozen=True, slots=True)
class AskPictures:
    """The pictures of one request.

    Args:
        images: encoded as the model was sent them, in order.
        is_as_recorded: their pixels have the recorded hash; another OpenGL may draw the same scene
            with other pixels.
    """

    images: tuple[Image, ...]
    is_as_recorded: bool


DrawnEpisodes: TypeAlias = Iterator[tuple[str, Mapping[int, AskPictures]]]
"""Yields an episode's id and the pictures of its requests, by the number of the request."""

Draw: TypeAlias = Callable[[Collection[str]], DrawnEpisodes]
"""Draws the pictures of these episodes again, for the episodes that show any."""


def no_pictures(_: Collection[str]) -> DrawnEpisodes:
    """Return no pictures: a text-only export."""
    return iter(())
