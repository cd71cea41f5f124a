"""A sweep's models, and the budget of each, from names and patterns."""

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase

from mirror_ray.errors import SweepError, UnfitError
from mirror_ray.providers.catalogue import ROSTER, Catalogue
from mirror_ray.providers.name_ranges import numbered
from mirror_ray.spelling import did_you_mean

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


def expand_budgets(
    ceilings: Mapping[str, float], models: Sequence[str], source: str
) -> dict[str, float]:
    """Model → its own ceiling in USD; models without one are left out.

    Args:
        ceilings: by name or pattern: a model's own name counts before patterns, and of these the
            first that matches.

    Raises:
        SweepError: a name or pattern that none of the sweep's models has.
    """
    found: dict[str, float] = {}
    _refuse_many_patterns(ceilings, f"{source}: budget_per_model_usd")
    known = set(models)
    by_rank = sorted(ceilings.items(), key=lambda item: bool(_GLOB & set(item[0])))
    for name, usd in by_rank:
        matches = [name] if name in known else []
        if _GLOB & set(name):
            matches += [model for model in models if fnmatchcase(model, name)]
        if not matches:
            raise SweepError(
                f"{source}: budget_per_model_usd.{name}",
                repr(name),
                f"a model of this sweep, or a pattern that matches one: {', '.join(models[:100])}",
                did_you_mean(name, models) or f"remove {name!r}, or add it to the models",
            )
        for model in matches:
            found.setdefault(model, usd)
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
