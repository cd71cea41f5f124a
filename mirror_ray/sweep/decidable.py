"""Check that a sweep's `until` can decide something, before any request."""

from collections.abc import Sequence

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.providers.persons import is_person
from mirror_ray.sweep.file import UntilKeys
from mirror_ray.sweep.plan import RULES, Stage, Until

LEAST_FOR_WIDTH = 20
"""The fewest units after which the width of an interval may end a cell, unless the sweep sets
another number."""


def until_of(keys: UntilKeys | None, source: str) -> Until | None:
    """Return a sweep's rule, or None without keys. Raise SweepError unless exactly one is given."""
    if keys is None:
        return None
    bounds = {rule: getattr(keys, rule) for rule in RULES}
    given = [rule for rule, bound in bounds.items() if bound is not None]
    if len(given) != 1:
        raise SweepError(
            f"{source}: until",
            f"{' and '.join(given)} at once" if given else "no rule",
            f"one of {', '.join(RULES)}",
            "e.g. until: {verdict: 0.99}",
        )
    rule = given[0]
    least = LEAST_FOR_WIDTH if rule == "half_width" else keys.round
    return Until(rule, bounds[rule], keys.min or least, keys.round)


def require_decidable(
    until: Until, stages: Sequence[Stage], models: Sequence[str], source: str
) -> None:
    """Refuse a rule that could decide nothing, or has no score to decide by.

    Raises:
        SweepError: a person among the models; one model alone where models are compared; a stage
            without a score to decide by, or whose episodes follow from others.
    """
    if persons := [one for one in models if is_person(one)]:
        raise SweepError(
            f"{source}: until",
            f"{persons[0]}, whose answers no run can wait for",
            "a sweep without people, or one without until",
            "remove until, or have people play in another --out",
        )
    if until.rule != "half_width" and len(models) < 2:
        raise SweepError(
            f"{source}: until.{until.rule}",
            f"{len(models)} model",
            "two models or more, which are compared",
            "name more models, or use until: {half_width: 0.1}",
        )
    for stage in stages:
        family = FAMILIES[stage.family]
        after = [cell for cell in stage.cells if (one := family.listing_of(cell)) and one.after]
        if family.scoring is not None and not after:
            continue
        scored = [name for name, one in FAMILIES.items() if one.scoring is not None]
        got = stage.family if family.scoring is None else f"{stage.family} {after[0].condition}"
        raise SweepError(
            f"{stage.shape.where}",
            f"{got} together with until",
            f"until decides by one score of an episode that follows from no other:"
            f" {', '.join(scored)}",
            "move this stage to a separate sweep, without until",
        )
