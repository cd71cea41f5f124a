"""The cost of a reply, by the catalogue's prices or the provider's own figure. An unknown cost is
None, never 0."""

from mirror_ray.core.types import ServedTier
from mirror_ray.providers.model import Model
from mirror_ray.providers.price_tiers import priced_as


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
        is_least: that figure may be a fee alone: higher catalogue prices count.
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
