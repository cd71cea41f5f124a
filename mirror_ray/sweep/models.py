"""A sweep's models, from names, patterns and rosters."""

from collections.abc import Sequence

from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.providers.catalogue import ROSTER, Catalogue
from mirror_ray.providers.name_ranges import names_in_range
from mirror_ray.sweep.by_model import GLOB, refuse_many_patterns
from mirror_ray.sweep.problems import Problems


def expand_models(names: Sequence[str], catalogue: Catalogue, source: str) -> tuple[str, ...]:
    """Return model names in the given order, each once. Globs are replaced by the names that they
    match, and rosters (``roster/NAME``) by their models.

    Raises:
        SweepError: an unknown name or roster, or a pattern that matches nothing.
    """
    found: dict[str, None] = {}
    refuse_many_patterns(names, f"{source}: models")
    problems = Problems()
    for position, name in enumerate(names):
        with problems.collected():
            found.update(dict.fromkeys(_matched(name, catalogue, f"{source}: models.{position}")))
    problems.raise_all()
    return tuple(found)


def _matched(name: str, catalogue: Catalogue, where: str) -> tuple[str, ...]:
    try:
        if name.startswith(ROSTER):
            matches = catalogue.roster(name, where)
        else:
            matches = catalogue.match(name) if GLOB & set(name) else names_in_range(name)
    except UnfitError as error:
        raise error.at(where) from error
    if not matches:
        raise SweepError(
            where,
            repr(name),
            "a pattern that matches a name of the catalogue",
            "list the names: mirror-ray models",
        )
    for match in matches:
        catalogue.resolve(match, where=where)
    return matches
