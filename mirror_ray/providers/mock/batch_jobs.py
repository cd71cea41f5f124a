"""A mock provider's batches, whichever protocol they are asked for by: how each of their asks ends.

A batch is done some time after it was begun; an ask of it is billed then, if it was reached.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import time
from typing import Any, Literal, TypeAlias

import numpy as np

Answer: TypeAlias = Callable[[Mapping[str, Any]], tuple[int, dict[str, Any]]]
"""From an ask's body, in OpenAI's words, to the status and the body of its reply; a reply of status
200 is billed."""

Ended: TypeAlias = Literal["answered", "failed", "expired", "cancelled"]


@dataclass(frozen=True, slots=True)
class BatchManner:
    """How batches fare.

    Args:
        lasts_s: from a batch's beginning to its end.
        slow_s: how long each of its replies to uploads and beginnings is held back, after what
            they ask for is done: who dies meanwhile does not know that it is.
        expired, failed: shares of a batch's asks that it does not reach, and that fail.
    """

    lasts_s: float = 2.0
    slow_s: float = 0.0
    expired: float = 0.0
    failed: float = 0.0


PROMPT = BatchManner()


@dataclass(frozen=True, slots=True)
class Fate:
    """How an ask ended.

    Args:
        status, body: of its reply, where it was reached.
    """

    custom_id: str
    ended: Ended
    status: int = 0
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class BatchJob:
    """One batch.

    Args:
        asks: names and bodies, in OpenAI's words.
        label: what its maker is to tell of it.
        created_at, cancelled_at: Unix times.
        fates: once it has ended.
    """

    asks: Sequence[tuple[str, Mapping[str, Any]]]
    label: Any = None
    created_at: float = field(default_factory=time)
    cancelled_at: float | None = None
    fates: list[Fate] | None = None

    def cancel(self) -> None:
        """No more of it is done."""
        if self.fates is None and self.cancelled_at is None:
            self.cancelled_at = time()

    def is_due(self, manner: BatchManner) -> bool:
        """Whether it ends now."""
        ends_at = self.created_at + manner.lasts_s
        return self.fates is None and (self.cancelled_at is not None or time() >= ends_at)

    def end(self, answer: Answer, manner: BatchManner, rng: np.random.Generator) -> None:
        """Settles its asks, in any order; of a batch that is cancelled, half is done."""
        unreached = manner.expired if self.cancelled_at is None else 0.5
        why: Ended = "expired" if self.cancelled_at is None else "cancelled"
        fates = []
        for custom_id, body in self.asks:
            if rng.random() < unreached:
                fates.append(Fate(custom_id, why))
            elif rng.random() < manner.failed:
                failed = {"error": {"message": "The server had an error", "code": "server_error"}}
                fates.append(Fate(custom_id, "failed", 500, failed))
            else:
                status, reply = answer(body)
                fates.append(
                    Fate(custom_id, "answered" if status == 200 else "failed", status, reply)
                )
        self.fates = [fates[i] for i in rng.permutation(len(fates))]

    def has(self, ended: Iterable[Ended]) -> bool:
        """Whether any of its asks has ended so."""
        return any(fate.ended in ended for fate in self.fates or ())
