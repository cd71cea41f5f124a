"""Groups of many models, by what their catalogue entries have in common: lab, family, limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mirror_ray.core.untrusted import bounded_float, one_printable_line
from mirror_ray.engine.driver.rough_figures import about

MOST_MODEL_ROWS = 30
"""More are shown by group."""

_MOST_CHARS = 60
_FIGURES = (("rpm", "rpm"), ("tpm", "tpm"), ("rpd", "rpd"), ("concurrency", "at once"))


@dataclass(frozen=True, slots=True)
class Traits:
    """What a model may share with others.

    Args:
        lab: its developer in the catalogue, or the beginning of its name.
        family: "" if the catalogue has none.
        limits: of its key.
    """

    lab: str
    family: str
    limits: str


def traits_of(name: str, entry: Mapping[str, Any]) -> Traits:
    """Return the traits of a model, given as plain data of `mirror_ray.providers.model.Model`."""
    lab = _line(entry.get("lab")) or _line(name.rpartition("/")[0]) or _line(name) or "(no name)"
    limits = entry.get("limits")
    figures = limits if isinstance(limits, Mapping) else {}
    known = [
        f"{about(value)} {unit}"
        for key, unit in _FIGURES
        if (value := bounded_float(figures.get(key))) is not None
    ]
    return Traits(lab, _line(entry.get("family")), ", ".join(known) or "limits unknown")


def grouped(traits: Mapping[str, Traits], most: int = MOST_MODEL_ROWS) -> dict[str, list[str]]:
    """Return label → models, in at most `most` groups: by lab, family and limits, or fewer of
    these, or with the smallest labs as one."""
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
    return one_printable_line(value, _MOST_CHARS) if isinstance(value, str) else ""
