"""Chooses the rows of a table of many models: groups, models with errors, and the most and least
advanced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from mirror_ray.engine.driver.model_groups import MOST_MODEL_ROWS, Traits, grouped

MOST_ALONE = 10
"""Models of a section."""

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
        """How many models; "" for one."""
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
        lines: of the terminal that rows and titles may take; None is unlimited.
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
    """Place of a section's first row → its title."""
    return {
        place: row.section
        for place, row in enumerate(rows)
        if row.section and (not place or rows[place - 1].section != row.section)
    }


def _worst(trouble: Mapping[str, tuple[float, ...]]) -> list[str]:
    """Models with trouble, the worst of each kind in turn: one kind may hold up a thousand."""
    n_kinds = max(map(len, trouble.values()), default=0)
    by_kind = [
        sorted((one for one in trouble if trouble[one][kind]), key=lambda one: -trouble[one][kind])
        for kind in range(n_kinds)
    ]
    in_turn = (one for nth in zip_longest(*by_kind) for one in nth if one is not None)
    return list(dict.fromkeys(in_turn))


def _dealt(wanted: Mapping[int, int], lines: int) -> dict[int, int]:
    """Section → rows, dealt out in turn; the first of a section takes a line for its title too."""
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
