"""Agreement and Cohen's kappa of two readers of a sheet, with intervals.

Each item counts by its weight, so that the figures describe the run, not the sheet. Intervals are
Wilson's on the effective number of items (Kish). Kappa's are converted from the agreement's, at the
observed chance agreement. Kappa is None if a reader uses only one mark."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from mirror_ray.analysis.quantiles import NORMAL_95
from mirror_ray.audit.readings import MARKS, READ_BY_RULES, AuditedReply
from mirror_ray.audit.sheet import Sheet, SheetItem


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two readers over `n` distinct replies that both have read, in one stratum
    ("": all strata)."""

    one: str
    other: str
    stratum: str
    n: int
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None


def agreements(
    sheet: Sheet, readings: Iterable[AuditedReply], marks: Mapping[str, Mapping[str, str]]
) -> list[Agreement]:
    """Compare every reader with every person, and persons with each other, overall and by stratum.
    `marks` maps person → id → mark."""
    by_place = {one.place: one for one in readings}
    # A mark is about the text that was shown, and does not apply to a reply that reads differently
    # now.
    items = [
        (item, by_place[item.place])
        for item in sheet.items
        if item.place in by_place and by_place[item.place].content == item.content
    ]
    found: list[Agreement] = []
    people = sorted(marks)
    machines = sorted({reader for _, one in items for reader in one.readers}, reverse=True)
    for number, person in enumerate(people):
        said = {item.id: marks[person].get(item.id) for item, _ in items}
        for reader in [*machines, *people[:number]]:
            own = marks.get(reader) if reader in marks and reader not in machines else None
            read = {
                item.id: one.readers.get(reader) if own is None else own.get(item.id)
                for item, one in items
            }
            found += _compared(reader, person, items, read, said)
    return found


def _compared(
    one: str,
    other: str,
    items: Sequence[tuple[SheetItem, AuditedReply]],
    read: Mapping[str, str | None],
    said: Mapping[str, str | None],
) -> list[Agreement]:
    groups: dict[str, list[tuple[float, str, str]]] = {"": []}
    for item, reading in items:
        first, second = read[item.id], said[item.id]
        if first is None or second is None:
            continue
        about = {
            "family": reading.family,
            "condition": reading.condition,
            "model": reading.model,
            "key": reading.key_kind,
            READ_BY_RULES: reading.readers.get(READ_BY_RULES, "open"),
        }
        for group in ("", *(f"{name} {value}" for name, value in about.items())):
            groups.setdefault(group, []).append((item.weight, first, second))
    return [agreement_of(one, other, group, pairs) for group, pairs in sorted(groups.items())]


def agreement_of(
    one: str, other: str, stratum: str, pairs: Sequence[tuple[float, str, str]]
) -> Agreement:
    """Return the agreement, given tuples of weight, first reading and second reading."""
    total = sum(weight for weight, _, _ in pairs)
    if not total:
        return Agreement(one, other, stratum, 0, None, None, None, None, None, None)
    same = sum(weight for weight, first, second in pairs if first == second) / total
    chance = sum(_share(pairs, 1, mark) * _share(pairs, 2, mark) for mark in MARKS)
    n_effective = total**2 / sum(weight**2 for weight, _, _ in pairs)
    low, high = wilson(same, n_effective)
    is_constant = any(len({pair[place] for pair in pairs}) == 1 for place in (1, 2))

    def kappa(agreement: float) -> float | None:
        return None if is_constant else max(-1.0, (agreement - chance) / (1 - chance))

    return Agreement(
        one, other, stratum, len(pairs), same, low, high, kappa(same), kappa(low), kappa(high)
    )


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of `n`."""
    middle = share + NORMAL_95**2 / (2 * n)
    spread = NORMAL_95 * sqrt(share * (1 - share) / n + NORMAL_95**2 / (4 * n**2))
    scale = 1 + NORMAL_95**2 / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def _share(pairs: Sequence[tuple[float, str, str]], place: int, mark: str) -> float:
    total = sum(pair[0] for pair in pairs)
    return sum(pair[0] for pair in pairs if pair[place] == mark) / total
