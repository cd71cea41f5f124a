"""A circuit breaker per model: after repeated failures nobody calls, but a probe now and then.

Knows failures, successes and times it is told; does not know calls, queues or what a failure cost.
"""

from dataclasses import dataclass
from typing import Literal

from mirror_ray.types import ErrorKind

FAILURES_IN_A_ROW = 10
"""Of calls begun since the last success. At random failures of 30 % that is one in 170,000."""

TURNED_AWAY_IN_A_ROW = 3
"""No wait cures a wrong key, and each refusal may count against it."""

FIRST_REST_S = 5.0
LONGEST_REST_S = 60.0

PATIENCE_S = 300.0
"""How long callers wait for a provider that is down before they are told so."""

DOWN: frozenset[ErrorKind] = frozenset({"server", "connection", "timeout"})


@dataclass(frozen=True, slots=True)
class Open:
    """Why nobody may call.

    Args:
        error_kind, reason: what to tell callers once they are to wait no more.
        waits: whether they are to wait.
    """

    error_kind: ErrorKind
    reason: str
    waits: bool


class Breaker:
    """Closed (all may call), open (nobody), half open (one probe under way)."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._in_a_row = 0
        self._kind: ErrorKind = "none"
        self._open_since_s: float | None = None
        self._rest_s = FIRST_REST_S
        self._probe_at_s = 0.0
        self._probing = False

    @property
    def state(self) -> Literal["closed", "open", "half open"]:
        """Whether calls may go."""
        if self._open_since_s is None:
            return "closed"
        return "half open" if self._probing else "open"

    def bars(self, now_s: float) -> Open | None:
        """None where a call may go now; `let_go` is to follow if it does."""
        if self._open_since_s is None or (not self._probing and now_s >= self._probe_at_s):
            return None
        down_s = now_s - self._open_since_s
        reason = (
            f"{self._model} is left alone: {self._in_a_row} calls in a row failed ({self._kind})"
        )
        return Open(self._kind, reason, waits=self._kind in DOWN and down_s < PATIENCE_S)

    def let_go(self) -> None:
        """A call goes; while the circuit is open it is the probe."""
        self._probing = self._open_since_s is not None

    def ended(self, now_s: float, since_s: float, error_kind: ErrorKind) -> None:
        """A call that was let go at `since_s` has ended.

        A provider that answers, if only to refuse for the rate or the words, is not down.
        """
        if error_kind not in DOWN and error_kind != "auth":
            self._close()
            return
        self._in_a_row += 1
        self._kind = error_kind
        enough = TURNED_AWAY_IN_A_ROW if error_kind == "auth" else FAILURES_IN_A_ROW
        if self._open_since_s is None:
            if self._in_a_row >= enough:
                self._open_since_s = now_s
                self._rest(now_s)
        elif self._probing and since_s >= self._probe_at_s:
            self._rest_s = min(LONGEST_REST_S, 2 * self._rest_s)
            self._rest(now_s)

    def lost(self, since_s: float) -> None:
        """A call that was let go at `since_s` will not be heard of: if it was the probe, another
        may be."""
        if since_s >= self._probe_at_s:
            self._probing = False

    def _rest(self, now_s: float) -> None:
        self._probing = False
        self._probe_at_s = now_s + self._rest_s

    def _close(self) -> None:
        self._in_a_row = 0
        self._open_since_s = None
        self._probing = False
        self._rest_s = FIRST_REST_S
