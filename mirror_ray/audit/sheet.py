"""A sheet: the blinded, stratified sample of a run's replies that a person marks.

Strata (family, condition, model, kind of key, the rules' reading) take turns, so that rare ones are
seen; each drawn reply is weighted by the number of replies that it represents. Sheets show neither
models nor readings. [Our decision] Equal replies are drawn once, and the text shown is bounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from mirror_ray.audit.readings import AuditedReply
from mirror_ray.core.errors import UnfitError
from mirror_ray.core.identity import content_hash, seeded
from mirror_ray.core.untrusted import bounded_float, bounded_int, printable

MOST_ITEMS = 2_000
_MOST_CHARS = 12_000
QUESTIONS = {
    "answer": "Is the answer of this reply right? unclear: it commits to none.",
    "premise": "Does this reply say that something in the request is wrong?"
    " right: it does; wrong: it does not; unclear: it declines, or it cannot be told.",
}


@dataclass(frozen=True, slots=True)
class SheetItem:
    """One reply of a sheet.

    Args:
        id: opaque, and valid only for this sheet.
        place: of the reply in its run.
        content: hash of the text shown, so that a mark counts only for the text that was read.
        weight: how many of the run's replies it represents.
    """

    id: str
    place: str
    content: str
    weight: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sample of `population` distinct replies, in the order in which it is shown."""

    name: str
    seed: int
    families: tuple[str, ...]
    where: str | None
    population: int
    items: tuple[SheetItem, ...]

    @property
    def facts(self) -> dict[str, Any]:
        """Return the sheet as plain data."""
        items = [[one.id, one.place, one.content, one.weight] for one in self.items]
        about = {"name": self.name, "seed": self.seed, "families": list(self.families)}
        return {**about, "where": self.where, "population": self.population, "items": items}

    @classmethod
    def of(cls, facts: Any) -> "Sheet":
        """Return the sheet that `facts` describe. Raise UnfitError if they do not describe one."""
        try:
            items = tuple(SheetItem(*row) for row in facts["items"])
            sheet = cls(
                facts["name"],
                facts["seed"],
                tuple(facts["families"]),
                facts["where"],
                facts["population"],
                items,
            )
        except (KeyError, TypeError) as error:
            raise _no_sheet(str(error)) from error
        texts = [sheet.name, *sheet.families, *((sheet.where and [sheet.where]) or [])]
        texts += [text for one in items for text in (one.id, one.place, one.content)]
        fits = (
            len(items) <= MOST_ITEMS
            and len({one.id for one in items}) == len(items)
            and all(isinstance(text, str) for text in texts)
            and all((bounded_float(one.weight) or 0) > 0 for one in items)
            and bounded_int(sheet.seed) is not None
            and bounded_int(sheet.population) is not None
        )
        if not fits:
            raise _no_sheet("malformed items")
        return sheet


@dataclass(frozen=True, slots=True)
class ShownItem:
    """What a person sees of one reply."""

    id: str
    question: str
    task: str
    key: str
    reply: str


def draw_sheet(
    readings: Sequence[AuditedReply],
    *,
    name: str,
    seed: int,
    count: int,
    families: tuple[str, ...],
    where: str | None,
) -> Sheet:
    """Draw `count` of the replies, or all if there are fewer."""
    distinct: dict[str, AuditedReply] = {}
    for one in sorted(readings, key=lambda one: one.place):
        distinct.setdefault(one.content, one)
    strata: dict[tuple[str, ...], list[AuditedReply]] = {}
    for one in distinct.values():
        strata.setdefault(one.stratum, []).append(one)
    for stratum, members in strata.items():
        seeded("audit", seed, *stratum).shuffle(members)
    turns = zip_longest(*(strata[stratum] for stratum in sorted(strata)))
    drawn = [one for turn in turns for one in turn if one is not None][:count]
    taken: dict[tuple[str, ...], int] = {}
    for one in drawn:
        taken[one.stratum] = taken.get(one.stratum, 0) + 1
    weight = {each: len(strata[each]) / n for each, n in taken.items()}
    order = seeded("audit order", seed).permutation(len(drawn))
    items = tuple(
        SheetItem(
            content_hash("audit", name, seed, one.place)[:8],
            one.place,
            one.content,
            round(weight[one.stratum], 6),
        )
        for one in (drawn[place] for place in order)
    )
    return Sheet(name, seed, families, where, len(distinct), items)


def shown_items(sheet: Sheet, readings: Sequence[AuditedReply]) -> list[ShownItem]:
    """Return what the sheet shows, in order. Raise UnfitError if a reply has changed since."""
    by_place = {one.place: one for one in readings}
    found = []
    for item in sheet.items:
        one = by_place.get(item.place)
        if one is None or one.content != item.content:
            raise UnfitError(
                f"{item.id}: a reply that has changed in the run since it was drawn",
                "the replies as they were drawn",
                "draw a new sheet: --name",
            )
        key = "" if one.rubric == "premise" else one.key
        part = {"a": "Part 1 alone. ", "b": "Part 2 alone. "}.get(item.place[-1:], "")
        texts = (printable(text, _MOST_CHARS) for text in (one.task, key, one.reply))
        found.append(ShownItem(item.id, part + QUESTIONS[one.rubric], *texts))
    return found


def _no_sheet(got: str) -> UnfitError:
    return UnfitError(got, "a sheet that mirror-ray audit drew", "draw a new one: --name")
