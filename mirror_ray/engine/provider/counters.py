"""A Provider's counters of each model, for the driver's display. Imports no Ray."""

from collections import Counter
from dataclasses import dataclass, field
from time import time

from mirror_ray.core.error_kinds import FINAL_KINDS, ErrorKind
from mirror_ray.core.known_costs import is_whole
from mirror_ray.core.types import Reply

MOST_REMARKS = 5
"""The most remarks per model, because a server may say something new each time."""


@dataclass(slots=True)
class ModelCounters:
    """Counters of one model.

    Args:
        calls: attempts, retries included; `answers` of them were usable.
        waiting: requests in flight.
        cost_usd: known costs; incomplete for `unpriced` requests.
        errors, last_error: failed requests by kind, and the last message.
        retried: failed attempts that were retried, by kind; `last_error` has them too.
        replied_at: Unix time of the last successful reply; 0.0 before.
        remarks: what was unusual about usable replies, each once, at most `MOST_REMARKS`.
    """

    calls: int = 0
    answers: int = 0
    waiting: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    latency_s: float = 0.0
    replied_at: float = 0.0
    retried: Counter[ErrorKind] = field(default_factory=Counter)
    errors: Counter[ErrorKind] = field(default_factory=Counter)
    last_error: dict[ErrorKind, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def count(self, reply: Reply) -> None:
        """Add the outcome of a request, retries included."""
        self.count_cost(reply)
        self.latency_s += reply.latency_s
        if reply.error_kind in FINAL_KINDS:
            self.replied_at = time()
        if reply.error_kind == "none":
            self.answers += 1
            remark = reply.error
            if remark and remark not in self.remarks and len(self.remarks) < MOST_REMARKS:
                self.remarks.append(remark)
        else:
            self.errors[reply.error_kind] += 1
            self.last_error[reply.error_kind] = reply.error or reply.error_kind

    def count_cost(self, reply: Reply) -> None:
        """Add the known part of a request's cost."""
        self.cost_usd += reply.cost_usd or 0.0
        self.unpriced += not is_whole(reply)

    def count_retry(self, reply: Reply) -> None:
        """Count a failed attempt that is followed by another."""
        self.retried[reply.error_kind] += 1
        self.last_error[reply.error_kind] = reply.error or reply.error_kind
