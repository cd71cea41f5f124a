"""The filters and the order of a list of episodes, parsed from an address into typed values.

An address whose values have the wrong type is refused, and no value becomes part of SQL text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import TypeAlias

from mirror_ray.core.errors import SweepError

_MOST_CHARS = 1_000
"""Longer values match nothing, because no filtered column has such texts."""

FILTER_VERDICTS = ("right", "wrong", "partly", "error", "unscored")
"""The verdicts on an episode, by its family's leading score, in the order of the list."""
OUTCOMES = ("finished", "cut off", "failed")
DEFAULT = "default"
"""The temperature value that means the provider's default."""

_CELL = re.compile(r"[0-9A-Za-z_-]{1,64}")
_HEX = re.compile(r"[0-9a-f]{1,16}")

Value: TypeAlias = str | float | None


class _UnfitError(ValueError):
    """States the values that would have been accepted."""


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a list; None accepts everything.

    Args:
        temperature: a number as text, or `DEFAULT`.
        verdict, outcome: one of `FILTER_VERDICTS`, and of `OUTCOMES`.
        model_has: a part of the model's name; case is ignored.
        id: the beginning of an episode's id.
        scene: episodes that show this scene.
        differ: two cells, ``A.B``: their episodes in scenes where their scores differ.
    """

    run_dir: str | None = None
    family: str | None = None
    condition: str | None = None
    model: str | None = None
    variant: str | None = None
    temperature: str | None = None
    verdict: str | None = None
    outcome: str | None = None
    failure: str | None = None
    model_has: str | None = None
    id: str | None = None
    scene: str | None = None
    differ: str | None = None

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """Return the filters in an address's query; empty values and unknown keys are left out.
        Raise SweepError if a value has the wrong type."""
        found = {}
        for name in (one.name for one in fields(cls)):
            if text := given.get(name):
                try:
                    found[name] = _PARSED.get(name, _text)(text)
                except _UnfitError as error:
                    raise _refused(name, text, str(error)) from error
        return cls(**found)

    def chosen(self) -> dict[str, str]:
        """Return the filters that are set."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def condition_sql(self, *, but: str | None = None) -> tuple[str, dict[str, Value]]:
        """Return a SQL condition over the list, and its parameters; `but` leaves out one filter."""
        terms, values = [], dict[str, Value]()
        for name, text in self.chosen().items():
            if name == but:
                continue
            terms.append(_TERMS.get(name, f"{name} = ${name}"))
            match name:
                case "temperature":
                    values[name] = None if text == DEFAULT else float(text)
                case "differ":
                    values["cell_a"], values["cell_b"] = text.split(".")
                case _:
                    values[name] = text
        return " and ".join(terms) or "true", values


_TERMS = {
    "id": "starts_with(episode_id, $id)",
    "model_has": "contains(lower(model), lower($model_has))",
    "temperature": "temperature is not distinct from $temperature::double",
    "differ": (
        "cell_id in ($cell_a, $cell_b) and scene in (select scene from listed "
        "where cell_id in ($cell_a, $cell_b) group by scene "
        "having avg(score) filter (cell_id = $cell_a) <> avg(score) filter (cell_id = $cell_b))"
    ),
}

FACETS = (
    *("verdict", "run_dir", "family", "condition", "model", "variant"),
    *("temperature", "outcome", "failure"),
)
"""The filters for which the page offers a choice of values, in its order."""


SORTED_BY: Mapping[str, str] = {
    "verdict": f"list_position({list(FILTER_VERDICTS)!r}, verdict)",
    **{name: name for name in ("run_dir", "family", "condition", "model")},
    **{name: name for name in ("variant", "temperature")},
    **{"seed": "scene_seed", "steps": "n_steps", "cost": "cost_usd", "time": "wall_s"},
    **{"tokens": "tokens_in + tokens_out", "failure": "failure", "finished": "finished_at"},
    "scene": "row(scene_seed, run, scene)",
}
"""The expression over the list's columns for each sort key."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a list, by a key of `SORTED_BY`; None: by family, condition and model."""

    by: str | None = None
    is_descending: bool = False

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Order":
        """Return the order in an address's query: ``sort=cost`` or, largest first, ``sort=-cost``.
        Raise SweepError for another order."""
        text = given.get("sort", "")
        if not text:
            return cls()
        by = text.removeprefix("-")
        if by not in SORTED_BY:
            raise _refused("sort", text, ", ".join(SORTED_BY))
        return cls(by, text.startswith("-"))

    @property
    def text(self) -> str | None:
        """The order as an address states it."""
        return None if self.by is None else f"{'-' if self.is_descending else ''}{self.by}"

    @property
    def sql(self) -> str:
        """Return the expressions to sort by; ties stay in the order of the run."""
        if self.by is None:
            return "place"
        way = "desc" if self.is_descending else "asc"
        return f"{SORTED_BY[self.by]} {way} nulls last, place"

    def turned(self, by: str) -> "Order":
        """Return the order after a click on a heading: by that column, or reversed if it already
        was."""
        return Order(by, self.by == by and not self.is_descending)


def _text(text: str) -> str:
    if len(text) > _MOST_CHARS:
        raise _UnfitError(f"a text of at most {_MOST_CHARS:,} characters")
    return text


def _temperature(text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if text != DEFAULT and not isfinite(value):
        raise _UnfitError(f"a number, or {DEFAULT}")
    return _text(text)


def _one_of(*names: str) -> Callable[[str], str]:
    def parsed(text: str) -> str:
        if text not in names:
            raise _UnfitError(", ".join(names))
        return text

    return parsed


def _hex(text: str) -> str:
    if not _HEX.fullmatch(digits := text.strip().lower()):
        raise _UnfitError("up to 16 digits 0–9 and a–f")
    return digits


def _cells(text: str) -> str:
    if [bool(_CELL.fullmatch(part)) for part in text.split(".", 2)] != [True, True]:
        raise _UnfitError("the ids of two cells with a point between them")
    return text


_PARSED: Mapping[str, Callable[[str], str]] = {
    "temperature": _temperature,
    "verdict": _one_of(*FILTER_VERDICTS),
    "outcome": _one_of(*OUTCOMES),
    "id": _hex,
    "scene": _hex,
    "differ": _cells,
}


def _refused(name: str, text: str, allowed: str) -> SweepError:
    fix = "choose from the list's filters"
    return SweepError(f"address: {name}", repr(text[:200]), allowed, fix)
