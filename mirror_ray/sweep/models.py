"""A sweep's models, and the settings of each, from names and patterns."""

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TypeVar

from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.providers.catalogue import ROSTER, Catalogue
from mirror_ray.providers.name_ranges import numbered

T = TypeVar("T")

_GLOB = frozenset("*?[")
_MOST_PATTERNS = 100


def expand_models(names: Sequence[str], catalogue: Catalogue, source: str) -> tuple[str, ...]:
    """Model names with globs replaced by what they match, and rosters (``roster/NAME``) by their
    models, each once, in the order written.

    Raises:
        SweepError: an unknown name or roster, or a pattern that matches nothing.
    """
    found: dict[str, None] = {}
    _refuse_many_patterns(names, f"{source}: models")
    for position, name in enumerate(names):
        where = f"{source}: models.{position}"
        matches: tuple[str, ...]
        if name.startswith(ROSTER):
            matches = catalogue.roster(name, where)
        elif _GLOB & set(name):
            matches = catalogue.match(name)
        else:
            matches = _numbered(name, where)
        if not matches:
            raise SweepError(
                where,
                repr(name),
                "a pattern that matches a name of the catalogue",
                "list the names: mirror-ray models",
            )
        for match in matches:
            catalogue.resolve(match, where=where)
            found.setdefault(match)
    return tuple(found)


def expand_by_model(settings: Mapping[str, T], models: Sequence[str], where: str) -> dict[str, T]:
    """Model → its own setting; models without one are left out.

    Args:
        settings: by name or pattern: a model's own name counts before patterns, and of these the
            first that matches.
        where: file and key of the settings, for the error.

    Raises:
        SweepError: a name or pattern that none of the sweep's models has.
    """
    found: dict[str, T] = {}
    _refuse_many_patterns(settings, where)
    known = set(models)
    by_rank = sorted(settings.items(), key=lambda item: bool(_GLOB & set(item[0])))
    for name, setting in by_rank:
        matches = [name] if name in known else []
        if _GLOB & set(name):
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


def _numbered(name: str, where: str) -> tuple[str, ...]:
    try:
        return numbered(name)
    except UnfitError as error:
        raise error.at(where) from error


def _refuse_many_patterns(names: Collection[str], where: str) -> None:
    """Each is compared with every model."""
    patterns = [name for name in names if _GLOB & set(name)]
    if len(patterns) > _MOST_PATTERNS:
        raise SweepError(
            where,
            f"{len(patterns):,} patterns",
            f"at most {_MOST_PATTERNS}",
            "name the models, or use patterns that match more of them",
        )
