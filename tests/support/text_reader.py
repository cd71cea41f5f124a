"""A reader of text from outside, in the form that the tests of all readers use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mirror_ray.core.types import Observation, Reply, Turn
from mirror_ray.families.metacog.episode_record import Script

_SEEN = Observation(images=(), frame_sha=None, facts={})


@dataclass(frozen=True, slots=True)
class TextReader:
    """One reader.

    Args:
        read: its result for a text.
        raises: the errors for texts that it does not accept.
        every: of the worst texts, of which it is run on one in so many. A whole script reads each
            several times, by readers that are run on all of them by themselves.
    """

    module: str
    what: str
    read: Callable[[str], Any]
    raises: tuple[type[Exception], ...] = ()
    every: int = 1

    def __str__(self) -> str:
        return f"{self.module.removeprefix('mirror_ray.')}: {self.what}"


def play_through(script: Script, text: str) -> None:
    """Answer every ask of a script with the text."""
    turn = Turn(_SEEN, Reply(text, finish_reason="stop"))
    try:
        next(script)
        while True:
            script.send(turn)
    except StopIteration:
        return
