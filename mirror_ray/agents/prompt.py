"""The input of a scripted agent: text, pictures and a random stream.

The stream is seeded by the content alone, so that the same request gives the same reply in process
and over a wire. A picture's content is its pixels: an encoder may pack the same pixels differently,
even from one call to the next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from typing import TypeAlias

import numpy as np
from PIL import Image as Pillow

from mirror_ray.core.identity import seeded
from mirror_ray.core.types import Facts, Image

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class UnfamiliarPromptError(Exception):
    """The agent does not support this kind of prompt; `Scripted` turns this into a reply."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request as an agent gets it.

    Args:
        images: encoded pictures, PNG or JPEG.
        rng: randomness for this one reply, seeded from everything else but `truth`.
        truth: the world's state, or an item's key. Only `oracle` may read it, and agents that know
            by design whether they are right (metacog's, `sureness`).
    """

    system: str
    user: str
    images: tuple[bytes, ...]
    rng: np.random.Generator
    truth: Facts = field(default_factory=dict, repr=False)


Agent: TypeAlias = Callable[[Prompt], str]
"""A reference agent, which is stateless like a model: from a prompt to the reply's text."""


def prompt_for(
    agent_name: str,
    system: str,
    user: str,
    images: Sequence[bytes],
    truth: Mapping[str, object] | None = None,
    *,
    contents: Sequence[str] | None = None,
) -> Prompt:
    """Return the prompt for an agent, its rng seeded from the agent's name, text and pixels.
    `contents` are the `content_of` each image, if known."""
    pictures = list(map(content_of, images)) if contents is None else list(contents)
    rng = seeded("scripted", agent_name, system, user, pictures)
    return Prompt(system, user, tuple(images), rng, truth or {})


def known_content(image: Image) -> str:
    """Return `content_of` a picture, taken from its recorded hash if the pixels are the same."""
    return image.rgb_sha if image.encoding == "png" else content_of(image.data)


def content_of(image: bytes) -> str:
    """Return the hex SHA-256 of a PNG's pixels as RGB, rows from the top; of other data, of the
    bytes."""
    if image.startswith(_PNG_SIGNATURE):
        try:
            with Pillow.open(BytesIO(image)) as picture:
                return sha256(picture.convert("RGB").tobytes()).hexdigest()
        except OSError:
            # An agent that ignores the picture is unaffected; one that reads it will fail by
            # itself.
            pass
    return sha256(image).hexdigest()
