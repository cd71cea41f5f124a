"""Plays a sealed episode again from its record: no call, no picture, no Ray.

Knows that an episode is a deterministic generator and its record the history; does not know what
is made of it: reading replies anew, drawing frames again and showing them are other modules'.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Literal

from mirror_ray.engine.rollout import one_line
from mirror_ray.identity import EpisodeSpec
from mirror_ray.records.entry import Entry
from mirror_ray.records.sealed import kept_prompt_sha
from mirror_ray.tasks.family import Family
from mirror_ray.types import Ask, Outcome, Play, Turn

Departure = Literal["other words", "asks on", "ends early", "cannot be played"]
"""How today's program departs from a record: it asks something else, asks for more than was
answered, ends with answers left over, or raises."""


class DepartureError(Exception):
    """Today's program does not play the episode that was recorded.

    Args:
        ask: the ask at which they part, 1-based.
    """

    def __init__(self, kind: Departure, ask: int, detail: str) -> None:
        self.kind, self.ask, self.detail = kind, ask, detail
        super().__init__(f"ask {ask}: {detail}")


@dataclass(frozen=True, slots=True)
class Recalled:
    """An ask as the episode makes it again, and what was recorded of it."""

    ask: Ask
    entry: Entry


def recall(
    family: Family, spec: EpisodeSpec, entries: Sequence[Entry]
) -> Generator[Recalled, None, Outcome]:
    """Plays an episode from its whole record; yields each ask before its reply is sent in.

    Args:
        entries: from `mirror_ray.records.sealed.entries_of`.

    Raises:
        DepartureError: the record does not fit, at the ask where that shows.
    """
    play = family.play(spec, spec.rng())
    try:
        reached = _sent(play, None, 1)
        for index, entry in enumerate(entries, start=1):
            if isinstance(reached, Outcome):
                left = len(entries) - index + 1
                raise DepartureError(
                    "ends early", index, f"the episode has ended, with {left} recorded asks left"
                )
            if entry.prompt_sha != kept_prompt_sha(reached):
                raise DepartureError("other words", index, "other words are asked than were")
            yield Recalled(reached, entry)
            reached = _sent(play, entry.turn, index + 1)
        if isinstance(reached, Ask):
            raise DepartureError(
                "asks on", len(entries) + 1, "a reply is needed that was never asked for"
            )
        return reached
    finally:
        play.close()


def _sent(play: Play, turn: Turn | None, index: int) -> Ask | Outcome:
    """What an episode comes to with a turn; without one it begins."""
    try:
        return next(play) if turn is None else play.send(turn)
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome
    except Exception as reason:
        # A family may fail in any way, at its own episode's cost alone.
        raise DepartureError("cannot be played", index, one_line(reason)) from reason
