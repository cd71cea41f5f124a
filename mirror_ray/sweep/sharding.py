"""One of several parts of a sweep, each played by a separate head: ``shard: 2/8``.

A part consists of whole scenes, chosen by a hash of their identity. So its models are compared on
equal scenes, and only one head renders each picture."""

import re
from dataclasses import dataclass, replace
from math import floor

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.model import Limits, Model

MOST_SHARDS = 1_000
_SHARD = re.compile(r"^([1-9]\d{0,3})/([1-9]\d{0,3})$")


@dataclass(frozen=True, slots=True)
class SweepShard:
    """The part that one head plays: its number, from 1 to `of`, and its share of the budgets and
    rate limits, which is above 0 and at most 1."""

    number: int
    of: int
    share: float

    @property
    def suffix(self) -> str:
        """The suffix of its run directory's name, unless `--out` names one."""
        return f"-{self.number}-of-{self.of}"

    def of_usd(self, usd: float | None) -> float | None:
        """Return this part's share of a budget."""
        return None if usd is None else usd * self.share

    def of_model(self, model: Model) -> Model:
        """Return the model with this part's share of its limits; each head has its own servers."""
        if model.is_offline or model.serve is not None:
            return model
        return replace(
            model,
            limits=self._of_limits(model.limits),
            flex=model.flex and replace(model.flex, limits=self._of_limits(model.flex.limits)),
            batch=model.batch and replace(model.batch, limits=self._of_limits(model.batch.limits)),
            standard=model.standard and self.of_model(model.standard),
        )

    def _of_limits(self, limits: Limits) -> Limits:
        at_once = limits.concurrency
        return replace(
            limits,
            rpm=self.of_usd(limits.rpm),
            tpm=self.of_usd(limits.tpm),
            rpd=self.of_usd(limits.rpd),
            concurrency=None if at_once is None else max(1, floor(at_once * self.share)),
        )


def shard_of(text: str | None, share: float | None, source: str) -> SweepShard | None:
    """Read the keys `shard` and `share`, or return None if the sweep is played whole. Raise
    SweepError if there is no such shard, or for a share without a shard."""
    if text is None:
        if share is None:
            return None
        raise SweepError(
            f"{source}: share",
            f"{share:g}, without shard",
            "the share of one of several shards",
            "add shard, e.g. --shard 2/8, or remove share",
        )
    found = _SHARD.match(text)
    number, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= of <= MOST_SHARDS:
        raise SweepError(
            f"{source}: shard",
            repr(text[:40]),
            f"NUMBER/COUNT: a number from 1 to the count, and at most {MOST_SHARDS:,} shards",
            "e.g. --shard 2/8, the second of eight",
        )
    return SweepShard(number, of, 1 / of if share is None else share)


def shard_in_words(shard: SweepShard | None) -> list[str]:
    """Return, as text, which part of the sweep is played."""
    if shard is None:
        return []
    return [
        f"Shard {shard.number} of {shard.of}: its scenes alone, with {shard.share:.4g} of the"
        " budgets and rate limits."
    ]
