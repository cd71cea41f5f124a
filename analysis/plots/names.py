"""Shortens models' names for figures: a name's last part usually identifies the model."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count

from mirror_ray.core.untrusted import one_printable_line

MOST_SHORT_CHARS = 44
"""The longest name in a figure; longer ones are cut in the middle and shown whole on hover."""


def short_names(models: Iterable[str]) -> Mapping[str, str]:
    """Return each model's short name, without the provider; the whole name where two would look the
    same.

    The models are in the order of their whole names; no two short names are equal."""
    last = {model: model.rsplit("/", 1)[-1] for model in sorted(set(models))}
    shared = {name for name, n in Counter(last.values()).items() if n > 1}
    short = {model: _bounded(model if name in shared else name) for model, name in last.items()}
    taken: set[str] = set()
    for model, name in short.items():
        free = (f"{name} ({number})" for number in count(2))
        short[model] = next(free) if name in taken else name
        while short[model] in taken:
            short[model] = next(free)
        taken.add(short[model])
    return short


def _bounded(name: str) -> str:
    line = one_printable_line(name, 10 * MOST_SHORT_CHARS) or "(no name)"
    if len(line) <= MOST_SHORT_CHARS:
        return line
    half = (MOST_SHORT_CHARS - 1) // 2
    return f"{line[:half]}…{line[-half:]}"
