"""The known part of a request's cost, and whether that is the whole cost.

A sum that omits an unknown cost is too low: it is a lower bound, never a price."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from mirror_ray.core.types import Reply

_T = TypeVar("_T", int, float)

FREE_FAILURES: frozenset[str] = frozenset({"rate_limit", "shed", "auth", "bad_request"})
"""Error kinds of calls that were rejected before any processing and are certainly not billed."""


def known_usd(own_usd: float | None, failed_usd: Sequence[float | None]) -> float | None:
    """Return the known part of a request's cost; None if no part is known. If an attempt has an
    unknown cost, others that cost nothing are no price.

    Attempts that cost nothing tell nothing about one of unknown cost, so they yield no price.

    Args:
        own_usd: of the last attempt, whose reply counts.
        failed_usd: of the attempts before it.
    """
    costs = (own_usd, *failed_usd)
    known = sum(usd for usd in costs if usd is not None)
    return None if None in costs and not known else known


def is_priced(cost_usd: float | None, failed_usd: Sequence[float | None], error_kind: str) -> bool:
    """Return whether a recorded cost is the whole cost of its request.

    It is not if any attempt's cost is unknown. The last attempt's cost is not recorded separately:
    it is unknown if the total does not exceed the cost of the failed attempts.

    Args:
        cost_usd: as returned by `known_usd`.
    """
    if cost_usd is None or None in failed_usd:
        return False
    failed = sum(usd for usd in failed_usd if usd is not None)
    return failed == 0 or cost_usd > failed or error_kind in {*FREE_FAILURES, "budget"}


def is_whole(reply: Reply) -> bool:
    """Return whether the cost of a reply is the whole cost of its request."""
    failed_usd = [attempt.cost_usd for attempt in reply.failed_attempts]
    return is_priced(reply.cost_usd, failed_usd, reply.error_kind)


def sum_if_known(parts: Collection[_T | None]) -> _T | None:
    """Return the sum; None if any part is unknown."""
    known = [part for part in parts if part is not None]
    return None if None in parts else sum(known)
