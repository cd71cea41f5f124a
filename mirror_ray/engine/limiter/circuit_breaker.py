"""A circuit breaker per model: after repeated failures, only a probe is sent now and then."""

from dataclasses import dataclass
from typing import Literal

from mirror_ray.core.error_kinds import ErrorKind

FAILURES_IN_A_ROW = 10
"""Of calls begun since the last success. With random failures of 30 %, this happens once in
170,000."""

TURNED_AWAY_IN_A_ROW = 3
"""Waiting does not cure a wrong key, and the provider may count each refusal against it. Calls that
were in flight at the first refusal are awaited, up to `FAILURES_IN_A_ROW`, because an answer takes
longer than a refusal."""

REFUSED_IN_A_ROW, REFUSED_FOR_S = 20, 180.0
"""After so many rate-limit refusals in a row over this time, waiting does not help. Some providers
answer 429 when an account has no money or its daily quota is used up."""

FIRST_REST_S = 5.0
LONGEST_REST_S = 60.0

PATIENCE_S = 300.0
"""How long callers wait for a provider that is down before they fail, if nobody else watches it."""

DOWN: frozenset[ErrorKind] = frozenset({"server", "connection", "timeout"})


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A model that is not called for now; `next_try_s` is 0 while a probe is in flight."""

    error_kind: ErrorKind
    since_s: float
    next_try_s: float


@dataclass(frozen=True, slots=True)
class OpenCircuit:
    """Why no call may be sent. `error_kind` and `reason` are the error of calls that stop waiting;
    `waits` says whether calls should wait."""

    error_kind: ErrorKind
    reason: str
    waits: bool


class CircuitBreaker:
    """Closed (all calls pass), open (none), half open (one probe in flight). Callers wait for
    `patience_s` while it is open, before they fail."""

    def __init__(self, model: str, patience_s: float = PATIENCE_S) -> None:
        self._model = model
        self._patience_s = patience_s
        self._in_a_row = 0
        self._out = 0
        self._awaited, self._row_since_s = 0, 0.0
        self._refused = 0
        self._refused_since_s = 0.0
        self._words: str | None = None
        self._kind: ErrorKind = "none"
        self._open_since_s: float | None = None
        self._rest_s = FIRST_REST_S
        self._probe_at_s = 0.0
        self._probing = False

    @property
    def state(self) -> Literal["closed", "open", "half open"]:
        """Whether calls may be sent."""
        if self._open_since_s is None:
            return "closed"
        return "half open" if self._probing else "open"

    def unreachable(self, now_s: float) -> Unreachable | None:
        """Return since when the circuit is open, and until when. Return None while it is closed, or
        if the provider answers, for example that the key is wrong."""
        if self._open_since_s is None or self._kind not in DOWN:
            return None
        next_try_s = 0.0 if self._probing else max(0.0, self._probe_at_s - now_s)
        return Unreachable(self._kind, now_s - self._open_since_s, next_try_s)

    def bars(self, now_s: float) -> OpenCircuit | None:
        """Return why no call may be sent, or None if one may; the caller then calls `sent`."""
        if self._open_since_s is None or (not self._probing and now_s >= self._probe_at_s):
            return None
        down_s = now_s - self._open_since_s
        if self._kind == "rate_limit":
            return OpenCircuit(self._kind, self._refusal(now_s), waits=False)
        reason = (
            f"{self._model} is left alone: {self._in_a_row} calls in a row failed ({self._kind})"
            f" over {down_s / 60:.0f} min"
        )
        return OpenCircuit(
            self._kind, reason, waits=self._kind in DOWN and down_s < self._patience_s
        )

    def sent(self) -> None:
        """Note that a call is sent; while the circuit is open, this call is the probe."""
        self._out += 1
        self._probing = self._open_since_s is not None

    def ended(
        self, now_s: float, since_s: float, error_kind: ErrorKind, words: str | None = None
    ) -> None:
        """Count the end of a call that was granted at `since_s`.

        A provider that refuses a rate or a text is not down. A shed call proves nothing.

        Args:
            words: the provider's message of a failure; one line without secrets.
        """
        if error_kind == "shed":
            self.lost(since_s)
            return
        self._came_back(since_s)
        if error_kind == "rate_limit":
            self._refuse(now_s, since_s, words)
            return
        if error_kind not in DOWN and error_kind != "auth":
            self.close()
            return
        if not self._in_a_row:
            self._awaited, self._row_since_s = self._out, now_s
        self._in_a_row += 1
        self._kind = error_kind
        is_certain = error_kind == "auth" and not self._awaited
        enough = TURNED_AWAY_IN_A_ROW if is_certain else FAILURES_IN_A_ROW
        self._open_or_rest(now_s, since_s, is_enough=self._in_a_row >= enough)

    def lost(self, since_s: float) -> None:
        """Note that the end of a call will not be reported; after a probe, another one may
        follow."""
        self._came_back(since_s)
        if since_s >= self._probe_at_s:
            self._probing = False

    def close(self) -> None:
        """Let all calls pass, because the provider answers or a person says so."""
        self._refused = 0
        self._answered()

    def _came_back(self, since_s: float) -> None:
        self._out = max(0, self._out - 1)
        if since_s <= self._row_since_s:
            self._awaited = max(0, self._awaited - 1)

    def _answered(self) -> None:
        self._in_a_row = 0
        self._open_since_s = None
        self._probing = False
        self._rest_s = FIRST_REST_S

    def _refuse(self, now_s: float, since_s: float, words: str | None) -> None:
        if self._kind != "rate_limit":
            self._answered()
        if not self._refused:
            self._refused_since_s = now_s
        self._refused += 1
        self._kind, self._words = "rate_limit", words or self._words
        lasted_s = now_s - self._refused_since_s
        is_enough = self._refused >= REFUSED_IN_A_ROW and lasted_s >= REFUSED_FOR_S
        self._open_or_rest(now_s, since_s, is_enough=is_enough)

    def _refusal(self, now_s: float) -> str:
        said = f", last with: {self._words}" if self._words else ""
        minutes = (now_s - self._refused_since_s) / 60
        return (
            f"{self._model} has refused {self._refused} calls in a row over {minutes:.0f} min and"
            f" answered none{said}. Has the account money and quota left?"
        )

    def _open_or_rest(self, now_s: float, since_s: float, *, is_enough: bool) -> None:
        if self._open_since_s is None:
            if is_enough:
                self._open_since_s = now_s
                self._rest(now_s)
        elif self._probing and since_s >= self._probe_at_s:
            self._rest_s = min(LONGEST_REST_S, 2 * self._rest_s)
            self._rest(now_s)

    def _rest(self, now_s: float) -> None:
        self._probing = False
        self._probe_at_s = now_s + self._rest_s
