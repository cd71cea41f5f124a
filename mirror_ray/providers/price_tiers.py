"""Price tiers of a model: the cost of a call, or None if unknown, and which tier served it."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import get_args

from mirror_ray.core.types import ServedTier
from mirror_ray.providers.model import Model, Tier

_WORDS: Mapping[str, ServedTier] = {
    **{tier: tier for tier in get_args(ServedTier)},
    **{"default": "standard", "on_demand": "standard"},
}
SENT: Mapping[Tier, str] = MappingProxyType({"standard": "default", "flex": "flex"})
"""OpenAI's word for each tier, which litellm translates for other providers. A batch needs none."""


def served_tier(label: object) -> ServedTier | None:
    """Return the tier that a reply names; None if it names none, or one of unknown price."""
    return _WORDS.get(label.lower()) if isinstance(label, str) else None


def at_tier(model: Model, tier: Tier) -> Model:
    """Return the model as called and paid for at a tier. Raise ValueError if it has no such terms.

    At "standard" nothing is sent, and the provider uses its default. Another tier has its own
    limits, prices and timeout, and a shed flex call may fall back to `Model.standard`."""
    listed = model if model.standard is None else replace(model.standard, tier=None)
    if tier == "standard":
        return listed
    terms = listed.flex if tier == "flex" else listed.batch
    if terms is None:
        raise ValueError(f"{model.name} has no {tier} price")
    return replace(
        listed,
        tier=tier,
        standard=replace(listed, tier="standard"),
        limits=terms.limits,
        timeout_s=terms.timeout_s,
        usd_per_mtok_in=terms.usd_per_mtok_in,
        usd_per_mtok_out=terms.usd_per_mtok_out,
        usd_per_mtok_cached=terms.usd_per_mtok_cached,
    )


def asked_at(model: Model, tier: Tier) -> Model:
    """Return the model at another tier, with its own fallback. Raise ValueError without terms."""
    return replace(at_tier(model, tier), tier=tier, fallback=model.fallback)


def in_cell(model: Model, cell_id: str, tiers: Mapping[tuple[str, str], Tier]) -> Model:
    """Return the model as a cell calls it. `tiers` has the changed tiers, by (cell_id, model)."""
    tier = tiers.get((cell_id, model.name))
    return model if tier is None else asked_at(model, tier)


def as_listed(model: Model) -> Model:
    """Return the model's catalogue entry, with the tier at which it is called."""
    return replace(at_tier(model, "standard"), tier=model.tier, fallback=model.fallback)


def lanes_of(model: Model) -> tuple[Model, ...]:
    """Return the ways to call the model: at its tier, then at the one a flex call falls back to."""
    falls_back = model.tier == "flex" and model.fallback == "standard"
    return (model, model.standard) if falls_back and model.standard is not None else (model,)


def priced_as(model: Model, served: ServedTier | None) -> Model | None:
    """Return the model with the prices of the tier that served a call; None if they are unknown. A
    reply that names no tier has the requested one."""
    asked = served_tier(model.extra.get("service_tier")) or model.tier or "standard"
    if served is None or served == asked:
        return model
    if served == "standard":
        return model.standard
    if served == "batch" and model.batch is not None:
        return at_tier(model, "batch")
    return at_tier(model, "flex") if served == "flex" and model.flex is not None else None


def worst_case_usd(model: Model, tokens_in: float, tokens_out: float) -> float | None:
    """Return a call's cost at the dearest tier that may serve it; None if a price is unknown."""
    # A batch is billed as one.
    dearer = None if model.tier == "batch" else model.standard
    costs = [_usd(one, tokens_in, tokens_out) for one in (model, dearer) if one is not None]
    known = [usd for usd in costs if usd is not None]
    return max(known) if len(known) == len(costs) else None


def is_free_of_charge(model: Model) -> bool:
    """Return whether a call certainly costs nothing, at any tier."""
    return model.is_offline or worst_case_usd(model, 1.0, 1.0) == 0.0


def _usd(model: Model, tokens_in: float, tokens_out: float) -> float | None:
    if model.usd_per_mtok_in is None or model.usd_per_mtok_out is None:
        return None
    return (tokens_in * model.usd_per_mtok_in + tokens_out * model.usd_per_mtok_out) / 1e6


def cost_usd(
    model: Model,
    *,
    reported_usd: float | None,
    is_least: bool = False,
    tokens_in: int | None,
    tokens_out: int | None,
    tokens_cached: int | None,
    served: ServedTier | None = None,
) -> float | None:
    """Return the cost in US dollars as the provider reports it, else by the catalogue's prices.

    Args:
        reported_usd: the provider's own figure.
        is_least: that figure may be only a fee, so higher catalogue prices count.
        tokens_in: all input tokens, cached ones included.
        served: the price tier that served the call, as far as the provider says.
    """
    if reported_usd is not None and not is_least:
        return reported_usd
    priced = priced_as(model, served)
    if priced is None:
        return reported_usd
    per_in, per_out = priced.usd_per_mtok_in, priced.usd_per_mtok_out
    if per_in is None or per_out is None or tokens_in is None or tokens_out is None:
        return reported_usd
    cached = min(tokens_cached or 0, tokens_in)
    per_cached = per_in if priced.usd_per_mtok_cached is None else priced.usd_per_mtok_cached
    usd = ((tokens_in - cached) * per_in + cached * per_cached + tokens_out * per_out) / 1e6
    return usd if reported_usd is None else max(usd, reported_usd)
