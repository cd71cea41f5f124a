"""Describes a call to the Limiter before it is made."""

from math import ceil

from mirror_ray.core.text_length import prose_chars
from mirror_ray.core.types import Request
from mirror_ray.engine.limiter.messages import LimiterCall
from mirror_ray.providers.image_tokens import image_tokens
from mirror_ray.providers.model import Model
from mirror_ray.providers.price_tiers import worst_case_usd
from mirror_ray.sweep.ranges import CHARS_PER_TOKEN


def is_limited(model: Model) -> bool:
    """Return whether the Limiter bounds the model; without bounds its messages would only cost
    time. Unknown limits of hosted models are discovered, so these are bounded too."""
    limits = model.limits
    return not model.is_offline or any(
        bound is not None for bound in (limits.rpm, limits.tpm, limits.concurrency, limits.rpd)
    )


def call_of(model: Model, request: Request) -> LimiterCall:
    """Return what the Limiter needs to know of a request: its key, its tokens and its largest
    cost."""
    tokens, worst_case_usd = _at_most(model, request)
    return LimiterCall(
        key=model.limits.key,
        model=model.name,
        cell_id=request.cell_id,
        tokens=tokens,
        worst_case_usd=worst_case_usd,
        lasts_at_most_s=model.timeout_s,
        episode_id=request.episode_id,
        ask_index=request.ask_index,
    )


def _at_most(model: Model, request: Request) -> tuple[int, float | None]:
    """Return a call's tokens with the longest reply, and its largest cost; None if unpriced."""
    chars = prose_chars(request.system) + prose_chars(request.user)
    images = [image_tokens(model, image.width_px, image.height_px) for image in request.images]
    tokens_out = model.max_tokens or request.max_tokens
    tokens_in = ceil(chars / CHARS_PER_TOKEN.expected) + sum(one.typical for one in images)
    tokens = tokens_in + tokens_out
    if model.is_offline:
        return tokens, 0.0
    most_in = ceil(chars / CHARS_PER_TOKEN.low) + sum(one.at_most for one in images)
    return tokens, worst_case_usd(model, most_in, tokens_out)
