"""Sweep settings given by model name or pattern."""

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TypeVar

from mirror_ray.core.errors import SweepError
from mirror_ray.core.spelling import did_you_mean

_T = TypeVar("_T")

GLOB = frozenset("*?[")
_MOST_PATTERNS = 100


def expand_by_model(settings: Mapping[str, _T], models: Sequence[str], where: str) -> dict[str, _T]:
    """Return each model's setting; models without one are left out.

    Args:
        settings: by name or pattern: a name counts first, then the first pattern that matches.
        where: file and key of the settings, for the error.

    Raises:
        SweepError: a name or pattern that none of the sweep's models has.
    """
    found: dict[str, _T] = {}
    refuse_many_patterns(settings, where)
    known = set(models)
    by_rank = sorted(settings.items(), key=lambda item: bool(GLOB & set(item[0])))
    for name, setting in by_rank:
        matches = [name] if name in known else []
        if GLOB & set(name):
            matches += [model for model in models if fnmatchcase(model, name)]
        if not matches:
            raise SweepError(
                f"{where}.{name}",
                repr(name),
                f"a model of this sweep, or a pattern that matches one: {', '.join(models[:100])}",
                did_you_mean(name, models) or f"remove {name!r}, or add it to the models",
            )
        for model in matches:
            found.setdefault(model, setting)
    return found


def refuse_many_patterns(names: Collection[str], where: str) -> None:
    """Refuse too many patterns, because each is compared with every model."""
    patterns = [name for name in names if GLOB & set(name)]
    if len(patterns) > _MOST_PATTERNS:
        raise SweepError(
            where,
            f"{len(patterns):,} patterns",
            f"at most {_MOST_PATTERNS}",
            "name the models, or use patterns that match more of them",
        )
