"""Rows of a table of many models: groups by common facts in their catalogue entries, models with
errors, and the most and least advanced models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from mirror_ray.core.untrusted import bounded_float, one_printable_line
from mirror_ray.engine.driver.rough_figures import about

MOST_MODEL_ROWS = 30
"""If there are more, they are shown in groups."""

_MOST_CHARS = 60
_FIGURES = (("rpm", "rpm"), ("tpm", "tpm"), ("rpd", "rpd"), ("concurrency", "at once"))


@dataclass(frozen=True, slots=True)
class Traits:
    """What a model may share with others: its developer (from the catalogue, or the beginning of
    its name), its family ("" if the catalogue has none), and the limits of its key."""

    lab: str
    family: str
    limits: str


def traits_of(name: str, entry: Mapping[str, Any]) -> Traits:
    """Return the traits of a model that is given as plain data of
    `mirror_ray.providers.model.Model`."""
    lab = _line(entry.get("lab")) or _line(name.rpartition("/")[0]) or _line(name) or "(no name)"
    limits = entry.get("limits")
    figures = limits if isinstance(limits, Mapping) else {}
    known = tuple(bounded_float(figures.get(key)) for key, _ in _FIGURES)
    return Traits(lab, _line(entry.get("family")), _limits_words(known))


# Thousands of models share the same limits, and a few labs.
@lru_cache(1024)
def _limits_words(known: tuple[float | None, ...]) -> str:
    pairs = zip(known, _FIGURES, strict=True)
    words = [f"{about(value)} {unit}" for value, (_, unit) in pairs if value is not None]
    return ", ".join(words) or "limits unknown"


def grouped(traits: Mapping[str, Traits], most: int = MOST_MODEL_ROWS) -> dict[str, list[str]]:
    """Return at most `most` groups of models, by label: by all traits, by some of them, or by
    labs."""
    for label in _LABELS:
        groups = _by(traits, label)
        if len(groups) <= most:
            return groups
    kept = sorted(groups, key=lambda lab: -len(groups[lab]))[: most - 1]
    others = [name for lab, names in groups.items() if lab not in kept for name in names]
    return {lab: groups[lab] for lab in kept} | {"others" if kept else "all": others}


def _by(traits: Mapping[str, Traits], label: Callable[[Traits], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, one in traits.items():
        groups.setdefault(label(one), []).append(name)
    return groups


def _joined(*words: str) -> str:
    return ", ".join(filter(None, words))


_LABELS: Sequence[Callable[[Traits], str]] = (
    lambda one: _joined(one.lab, one.family, one.limits),
    lambda one: _joined(one.lab, one.limits),
    lambda one: one.lab,
)


def _line(value: object) -> str:
    return _printable(value) if isinstance(value, str) else ""


@lru_cache(1024)
def _printable(text: str) -> str:
    return one_printable_line(text, _MOST_CHARS)


MOST_ALONE = 10
"""The most models in a section."""

_GROUPS, _TROUBLE, _FIRST, _LAST = range(4)
_DEALT = (_TROUBLE, _GROUPS, _LAST, _FIRST)
"""The order in which sections get rows if not all fit."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: a model, or several that are counted together, under the title `section`."""

    label: str
    models: tuple[str, ...]
    section: str = ""

    @property
    def size(self) -> str:
        """The number of models in the row, as text; "" for a single model."""
        return f"{len(self.models):,}" if self.section.startswith("groups") else ""


def rows_of_many(
    traits: Mapping[str, Traits],
    done: Mapping[str, float],
    trouble: Mapping[str, tuple[float, ...]],
    lines: int | None = None,
) -> list[TableRow]:
    """Return the rows, section by section.

    Args:
        done: model → the share of its episodes that are done.
        trouble: model → counts per kind of error; models without any may be absent.
        lines: the terminal lines that rows and titles may take; None is unlimited.
    """
    worst = _worst(trouble)
    by_share = sorted(traits, key=lambda name: -done[name])
    wanted = {
        _TROUBLE: min(MOST_ALONE, len(worst)),
        _GROUPS: len(grouped(traits)),
        _LAST: MOST_ALONE,
        _FIRST: MOST_ALONE,
    }
    shares = _dealt(wanted, MOST_MODEL_ROWS * len(wanted) if lines is None else lines)
    rows = []
    if shares[_GROUPS]:
        groups = grouped(traits, shares[_GROUPS])
        title = f"groups of {len(traits):,}"
        rows += [TableRow(label, tuple(names), title) for label, names in groups.items()]
    for title, names in (
        (f"trouble: {shares[_TROUBLE]} of {len(worst):,}", worst[: shares[_TROUBLE]]),
        ("furthest", by_share[: shares[_FIRST]]),
        ("least far", by_share[len(by_share) - shares[_LAST] :]),
    ):
        rows += [TableRow(name, (name,), title) for name in names]
    return rows


def titles_of(rows: Sequence[TableRow]) -> dict[int, str]:
    """Return each section's title, by the position of its first row."""
    return {
        place: row.section
        for place, row in enumerate(rows)
        if row.section and (not place or rows[place - 1].section != row.section)
    }


def _worst(trouble: Mapping[str, tuple[float, ...]]) -> list[str]:
    n_kinds = max(map(len, trouble.values()), default=0)
    by_kind = [
        sorted((one for one in trouble if trouble[one][kind]), key=lambda one: -trouble[one][kind])
        for kind in range(n_kinds)
    ]
    in_turn = (one for nth in zip_longest(*by_kind) for one in nth if one is not None)
    return list(dict.fromkeys(in_turn))


def _dealt(wanted: Mapping[int, int], lines: int) -> dict[int, int]:
    """Return how many rows each section gets, dealt out in turn. The first row of a section takes
    another line for its title."""
    shares = dict.fromkeys(wanted, 0)
    left = -1
    while left != lines:
        left = lines
        for section in _DEALT:
            needed = 1 if shares[section] else 2
            if shares[section] < wanted[section] and needed <= lines:
                shares[section] += 1
                lines -= needed
    return shares
