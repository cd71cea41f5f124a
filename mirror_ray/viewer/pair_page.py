"""Two episodes side by side, step by step: what was shown and replied, and where they diverge.

Replies that were requested again are not compared. Free text nearly always differs, so short values
decide; the whole reply decides only if no short value ever differs. A text that is too long for a
short value in one step counts as free text in all steps."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from mirror_ray.core.identity import variant_words
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.html import render
from mirror_ray.viewer.page import AskView, EpisodePage
from mirror_ray.viewer.words import NULL_TEXT, value_text

PairSource = Callable[[str, int, str], str]
"""Returns the address of a picture from episode id, request number and picture name."""

_SAME = ("condition", "model", "temperature", "variant")
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class PairStep:
    """One step of both episodes.

    Args:
        left, right: the requests that count; None if an episode has ended.
        asked_differs: whether another text was sent, or another picture was shown.
        said: how the replies differ, as (name, left, right); empty if they agree.
    """

    number: int
    left: AskView | None
    right: AskView | None
    asked_differs: bool
    said: tuple[tuple[str, str, str], ...]

    @property
    def differs(self) -> bool:
        """Whether the episodes differ at this step."""
        return self.asked_differs or bool(self.said) or self.left is None or self.right is None


def pair_steps(
    left: EpisodePage,
    right: EpisodePage,
    frames: tuple[Mapping[int, str | None], Mapping[int, str | None]],
) -> tuple[PairStep, ...]:
    """Return the steps of both episodes side by side. `frames` has, for each episode, the hash of
    the pictures shown by the number of the request."""
    both = list(zip_longest(_counting(left), _counting(right)))
    asks = (ask for pair in both for ask in pair if ask is not None)
    free = {passage.name for ask in asks for passage in ask.passages}
    said = [_said(one, other, free) for one, other in both]
    if not any(said):
        said = [_whole_reply(one, other) for one, other in both]
    return tuple(
        PairStep(
            number,
            one,
            other,
            one is not None
            and other is not None
            and (
                _asked(one) != _asked(other)
                or frames[0].get(one.number) != frames[1].get(other.number)
            ),
            differences,
        )
        for number, ((one, other), differences) in enumerate(zip(both, said, strict=True), 1)
    )


def pair_html(
    pages: tuple[EpisodePage, EpisodePage],
    listed: tuple[StoredRow, StoredRow],
    steps: Sequence[PairStep],
    *,
    hrefs: tuple[str | None, str | None],
    source: PairSource,
    up: str | None,
    is_file: bool,
) -> str:
    """Return the page of two episodes.

    Args:
        pages, listed: their content, and their rows of the list.
        hrefs: the addresses of their own pages.
        up: the address of the list.
    """
    one, other = listed
    shared = [name for name in _SAME if one[name] == other[name]]
    return render(
        "pair.html",
        "pair.js",
        is_file,
        pages=pages,
        listed=listed,
        steps=steps,
        first=next((step for step in steps if step.differs), None),
        n_different=sum(step.differs for step in steps),
        hrefs=hrefs,
        src=source,
        up=up,
        shared=[(name, _words(name, one)) for name in shared if one[name] is not None],
        apart=[
            (name, (_words(name, one), _words(name, other))) for name in _SAME if name not in shared
        ],
        one_scene=one["scene"] is not None and one["scene"] == other["scene"],
    )


def _words(name: str, row: StoredRow) -> Any:
    if name == "variant":
        return variant_words(row[name])
    return row[name] if row[name] is None else value_text(row[name])


def _counting(page: EpisodePage) -> list[AskView]:
    return [ask for ask in page.asks if ask.counts]


def _asked(ask: AskView) -> tuple[tuple[str, str], ...]:
    return tuple((part.name, part.text) for part in ask.asked)


def _said(
    one: AskView | None, other: AskView | None, free: Set[str]
) -> tuple[tuple[str, str, str], ...]:
    if one is None or other is None:
        return ()
    left, right = (
        {badge.name: badge.text for badge in ask.badges if badge.name} | dict(ask.flags)
        for ask in (one, other)
    )
    names = [*left, *(name for name in right if name not in left)]
    found = (
        (name, left.get(name, NULL_TEXT), right.get(name, NULL_TEXT))
        for name in names
        if name not in free
    )
    return tuple(one for one in found if one[1] != one[2])[:_MOST_NAMED]


def _whole_reply(one: AskView | None, other: AskView | None) -> tuple[tuple[str, str, str], ...]:
    if one is None or other is None or one.reply == other.reply:
        return ()
    return (("reply", "", ""),)
