"""Plays a sealed episode again from its record: no call, no picture, no Ray.

An episode is a deterministic generator, and its record is the generator's whole history."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from mirror_ray.contract.family import Family, advance
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Outcome, Play, Turn
from mirror_ray.engine.rollout import one_line
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.shards.reader import kept_prompt_sha

Mismatch = Literal["other words", "asks on", "ends early", "cannot be played"]
"""How this program can depart from a record: it makes another request, makes more requests than
were answered, ends with unused answers, or raises."""


class HistoryMismatchError(Exception):
    """This program plays an episode differently from its record. `ask` is the number, from 1, of
    the request at which the two differ."""

    def __init__(self, kind: Mismatch, ask: int, detail: str) -> None:
        self.kind, self.ask, self.detail = kind, ask, detail
        super().__init__(f"ask {ask}: {detail}")


@dataclass(frozen=True, slots=True)
class PlayedAsk:
    """A request as the episode makes it again, with its record."""

    ask: Ask
    entry: Entry


def play_back(
    family: Family, spec: EpisodeSpec, entries: Sequence[Entry]
) -> Generator[PlayedAsk, None, Outcome]:
    """Play an episode from its whole record, the entries of `entries_of`; yield each request before
    its reply is sent in. Raise HistoryMismatchError at the first request that does not fit."""
    with closing(family.play(spec, spec.rng())) as play:
        reached = _sent(play, None, 1)
        for index, entry in enumerate(entries, start=1):
            if isinstance(reached, Outcome):
                left = len(entries) - index + 1
                raise HistoryMismatchError(
                    "ends early", index, f"the episode has ended, with {left} recorded asks left"
                )
            if entry.prompt_sha != kept_prompt_sha(reached):
                raise HistoryMismatchError("other words", index, "other words are asked than were")
            yield PlayedAsk(reached, entry)
            reached = _sent(play, entry.turn, index + 1)
        if isinstance(reached, Ask):
            raise HistoryMismatchError(
                "asks on", len(entries) + 1, "a reply is needed that was never asked for"
            )
        return reached


def _sent(play: Play, turn: Turn | None, index: int) -> Ask | Outcome:
    try:
        return advance(play, turn)
    except Exception as reason:
        # A family may fail in any way; only its own episode is affected.
        raise HistoryMismatchError("cannot be played", index, one_line(reason)) from reason
