"""Estimates the usage of one request: by formula before the first reply, then by recorded usage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from mirror_ray.providers.image_tokens import image_tokens
from mirror_ray.providers.model import Model, Tier
from mirror_ray.records.usage import AskUsage, EpisodeUsage
from mirror_ray.sweep.ranges import CHARS_PER_TOKEN, Range, between, exactly
from mirror_ray.sweep.sampling import KindSample

LONGER_THAN_SAMPLED = 1.5
"""A model's memory text may be longer than that of the reference agents."""
UNMEASURED_S: Mapping[Tier, Range] = MappingProxyType(
    {
        "standard": Range(1.5, 5.0, 15.0),
        # Google aims at 1 to 15 minutes, and OpenAI advises timeouts as long.
        "flex": Range(5.0, 60.0, 900.0),
        # Providers promise a day, and say that most batches finish within an hour.
        "batch": Range(600.0, 3600.0, 86_400.0),
    }
)
"""Latency of hosted vision models until the first replies arrive."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The usage of one request to this model.

    Args:
        excess: input tokens above the text's, as a multiple of the formula's for pictures, or of
            the text's if there are none; None before the first usage.
        reply_tokens: of a reply; None likewise.
        cost_per_ask_usd: as billed; None likewise.
        image_tokens_told: of a request's pictures, if replies report them.
        latency_s: of the model's tier; None likewise.
        is_billed_alike: whether all payments so far were at the model's tier.
    """

    model: Model
    excess: Range | None
    reply_tokens: Range | None
    cost_per_ask_usd: Range | None
    image_tokens_told: Range | None
    latency_s: Range | None
    is_billed_alike: bool = True

    def tokens_in(self, sample: KindSample) -> Range:
        """Return the input tokens of a request like the sample."""
        chars, per_token = sample.prompt_chars, CHARS_PER_TOKEN
        text = Range(*(chars / per for per in (per_token.high, per_token.expected, per_token.low)))
        if self.excess is None:
            return text + self._formula(sample)
        if not sample.images_px:
            return self.excess * text.expected
        return exactly(text.expected) + self.excess * self._formula(sample).expected

    def image(self, sample: KindSample) -> Range:
        """Return the input tokens of a request's pictures."""
        if not sample.images_px:
            return exactly(0.0)
        if self.excess is None:
            return self._formula(sample)
        return self.image_tokens_told or self.excess * self._formula(sample).expected

    def tokens_out(self, sample: KindSample) -> Range:
        """Return the tokens of a reply. Before the first one, the range is from the tersest agent's
        reply to the bound."""
        if self.reply_tokens is not None:
            return self.reply_tokens
        bound = self.reply_bound(sample)
        tersest = max(1.0, sample.reply_chars / CHARS_PER_TOKEN.expected)
        return between(min(tersest, bound), bound)

    def reply_bound(self, sample: KindSample) -> int:
        """Return the most tokens a reply may have."""
        return self.model.max_tokens or sample.reply_tokens

    def tokens_in_at_most(self, sample: KindSample) -> float:
        """Return the largest number of input tokens per request to plan for."""
        longest = LONGER_THAN_SAMPLED * sample.longest_chars / CHARS_PER_TOKEN.low
        return longest + max(self._formula(sample).high, self.image(sample).high)

    def _formula(self, sample: KindSample) -> Range:
        each = [image_tokens(self.model, *size_px) for size_px in sample.images_px]
        typical = sample.pictures.expected * sum(one.typical for one in each)
        return Range(typical, typical, sample.pictures.high * sum(one.at_most for one in each))


def calibrated(
    model: Model, asks: Sequence[tuple[KindSample, AskUsage]], episodes: Sequence[EpisodeUsage]
) -> Calibration:
    """Estimate the next request to a model from its replies so far.

    Args:
        asks: requests, each with the sample of its kind, whose text is used if its own is not kept.
        episodes: all started episodes of the model.
    """
    by_formula = Calibration(model, None, None, None, None, None)
    excesses = []
    for sample, ask in asks:
        if ask.tokens_in is None:
            continue
        chars = sample.prompt_chars if ask.text_chars is None else ask.text_chars
        text = chars / CHARS_PER_TOKEN.expected
        if sample.images_px:
            formula = by_formula.image(sample).expected
            excesses.append(max(0.0, ask.tokens_in - text) / formula)
        else:
            excesses.append(ask.tokens_in / text)
    served = {ask.service_tier or "standard" for _, ask in asks}
    latencies = [
        ask.latency_s
        for _, ask in asks
        if (ask.service_tier or "standard") == (model.tier or "standard")
    ]
    told = [float(ask.tokens_image) for _, ask in asks if ask.tokens_image is not None]
    return Calibration(
        model=model,
        excess=_spread(excesses),
        reply_tokens=_per_ask([(one.tokens_out, one.asks) for one in episodes]),
        cost_per_ask_usd=_per_ask([(one.cost_usd, one.asks) for one in episodes]),
        image_tokens_told=_spread(told),
        latency_s=_mean(latencies),
        is_billed_alike=_is_billed_alike(model, served),
    )


def _is_billed_alike(model: Model, served: set[str]) -> bool:
    if model.tier == "flex":
        falls_back = model.fallback == "standard"
        return served == {"flex"} or (falls_back and served == {"flex", "standard"})
    return served <= {model.tier or "standard"}


def price(model: Model, tokens_in: Range, tokens_out: Range) -> Range | None:
    """Return the cost of uncached tokens at the catalogue's prices; None if there are none.

    If shed calls are repeated at the standard price, the upper bound assumes that all calls are."""
    if model.usd_per_mtok_in is None or model.usd_per_mtok_out is None:
        return None
    cost = tokens_in * (model.usd_per_mtok_in / 1e6) + tokens_out * (model.usd_per_mtok_out / 1e6)
    if model.standard is None or model.fallback == "wait":
        return cost
    dearest = price(model.standard, tokens_in, tokens_out)
    return None if dearest is None else Range(cost.low, cost.expected, dearest.high)


def _spread(figures: Sequence[float]) -> Range | None:
    # The mean and the central 95 %.
    if not figures:
        return None
    low, high = np.quantile(figures, [0.025, 0.975])
    mean = float(np.mean(figures))
    return Range(min(float(low), mean), mean, max(float(high), mean))


def _per_ask(sums: Sequence[tuple[float | None, int]]) -> Range | None:
    """Return the mean over all requests and the central 95 % of the episodes' means."""
    known = [(figure, n_asks) for figure, n_asks in sums if figure is not None and n_asks]
    spread = _spread([figure / n_asks for figure, n_asks in known])
    if spread is None:
        return None
    mean = sum(figure for figure, _ in known) / sum(n_asks for _, n_asks in known)
    return Range(min(spread.low, mean), mean, max(spread.high, mean))


def _mean(figures: Sequence[float]) -> Range | None:
    # The mean plus or minus two standard errors.
    if not figures:
        return None
    mean = float(np.mean(figures))
    error = 2 * float(np.std(figures)) / len(figures) ** 0.5
    return Range(max(0.0, mean - error), mean, mean + error)
