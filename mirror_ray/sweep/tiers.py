"""The price tier that each of a sweep's models is asked at; one without a price is refused."""

from collections.abc import Mapping
from dataclasses import replace

from mirror_ray.errors import SweepError
from mirror_ray.providers.model import Fallback, Model, Tier
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.sweep.models import expand_by_model

_MOST_NAMED = 20


def at_tiers(
    models: Mapping[str, Model],
    tiers: Mapping[str, Tier],
    fallback: Fallback | None,
    source: str,
) -> dict[str, Model]:
    """The models, each at its tier.

    Args:
        tiers: by name or pattern, as `expand_by_model` reads them.
        fallback: what follows when a flex call is shed; None: it waits.

    Raises:
        SweepError: a tier without a price, a pattern that matches nothing, or a fallback where
            nothing can be shed.
    """
    asked = expand_by_model(tiers, tuple(models), f"{source}: tier")
    found = dict(models)
    for name, tier in asked.items():
        if tier == "flex":
            _require_terms(models, name, f"{source}: tier")
            found[name] = replace(at_tier(models[name], tier), fallback=fallback or "wait")
    if fallback is not None and "flex" not in asked.values():
        raise SweepError(
            f"{source}: fallback",
            f"fallback {fallback!r}, and no model at flex",
            "fallback beside tier: flex, whose calls may be shed",
            "add tier: flex, or remove fallback",
        )
    return found


def _require_terms(models: Mapping[str, Model], name: str, where: str) -> None:
    model = models[name]
    if "service_tier" in model.extra:
        raise SweepError(
            where,
            f"flex for {name}, whose catalogue entry has extra.service_tier",
            "one of the two",
            "remove extra.service_tier from the entry",
        )
    if model.flex is not None:
        return
    offered = [other for other, model in models.items() if model.flex is not None]
    some = ", ".join(offered[:_MOST_NAMED])
    raise SweepError(
        where,
        f"flex for {name}, which has no flex price",
        f"models of the sweep whose catalogue entry has a flex price: {some or 'none'}",
        f"name those only, e.g. tier: {{{offered[0]}: flex}}"
        if offered
        else "give its entry the maker's own: flex: {usd_per_mtok_in: …, usd_per_mtok_out: …}",
    )
