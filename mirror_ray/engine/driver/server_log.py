"""Reports the state of a run's servers, to people and in the manifest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from mirror_ray.core.plain_json import json_copy
from mirror_ray.engine.cluster.server_actors import Replica
from mirror_ray.engine.driver.gpu_spending import NO_GPUS, GpuSpending
from mirror_ray.engine.server.messages import ServerFacts, ServerStatus
from mirror_ray.records.served_models import RECORDED_EVERY_S

SAY_EVERY_S = 30.0
"""How often to report that a server loads its weights, which takes minutes."""

MOST_HELD = 10_000


@dataclass(slots=True)
class _Held:
    model: str
    replica: int
    host: str
    holds: Mapping[str, float]
    began_s: float
    began_at: str
    ready_at: str | None = None
    ended_at: str | None = None
    held_s: float | None = None
    starts: int = 0
    why_ended: str | None = None


@dataclass(slots=True)
class _Said:
    state: str = ""
    start: str = ""
    at_s: float = 0.0
    start_s: float | None = None
    """When its latest restart began; None before the first."""
    lost: bool = False


@dataclass(slots=True)
class ServerLog:
    """Records every server of a run, in all its stages.

    Args:
        earlier: model → the fingerprint that earlier starts of the run recorded.
        spending: what their GPUs cost.
        say: shows a line to a person and logs it.
    """

    earlier: Mapping[str, str] = field(default_factory=dict)
    spending: GpuSpending = NO_GPUS
    say: Callable[[str], None] = lambda _: None
    _facts: dict[str, ServerFacts] = field(default_factory=dict)
    _answered: dict[tuple[str, str], ServerFacts] = field(default_factory=dict)
    _held: dict[Replica, _Held] = field(default_factory=dict)
    _past: list[_Held] = field(default_factory=list)
    _said: dict[Replica, _Said] = field(default_factory=dict)

    def started(self, replica: Replica, host: str, amounts: Mapping[str, float]) -> None:
        """Note that the actor has started and occupies its share of the host."""
        self._held[replica] = _Held(
            replica.model, replica.index, host, dict(amounts), monotonic(), _now()
        )
        self._said[replica] = _Said()
        self.say(f"{_name(replica)}: its server starts on {host}, {_amounts(amounts)}")

    def read(self, replica: Replica, status: ServerStatus) -> None:
        """Note a server's current state."""
        held, said = self._held[replica], self._said[replica]
        said.lost = False
        if status.start != said.start:
            if said.start and said.state in ("ready", "loading"):
                self.say(f"{_name(replica)}: its server has been started again")
            if said.start:
                said.start_s = monotonic() - (status.since_s if status.state == "loading" else 0.0)
            said.start = status.start
            held.starts += bool(status.start)
        if status.state != said.state:
            said.state, said.at_s = status.state, monotonic()
            self._changed(replica, status)
        elif status.state == "loading" and monotonic() - said.at_s > SAY_EVERY_S:
            said.at_s = monotonic()
            last = f": {status.log[-1]}" if status.log else ""
            self.say(f"{_name(replica)}: loading for {status.since_s:,.0f} s{last}")

    def waits(self, replica: Replica) -> None:
        """Note that Ray has not started the actor for lack of resources."""
        held, said = self._held[replica], self._said[replica]
        if monotonic() - max(said.at_s, held.began_s) > SAY_EVERY_S:
            said.at_s = monotonic()
            self.say(f"{_name(replica)}: waits for {_amounts(held.holds)} of {held.host}")

    def lost(self, replica: Replica, why: str) -> None:
        """Note that a server's actor does not answer."""
        said = self._said[replica]
        if not said.lost:
            said.lost, said.state = True, ""
            self.say(f"{_name(replica)}: its server's actor is lost, and restarts: {why}")

    def kept(self, replica: Replica) -> None:
        """Note that a server stays up although nothing left to play needs it now."""
        self.say(f"{_name(replica)}: its server stays up for a later stage or round")

    def ended(self, replica: Replica, why: str) -> None:
        """Note that a server has released its resources."""
        held = self._held.pop(replica)
        held.held_s = round(monotonic() - held.began_s, 1)
        held.ended_at, held.why_ended = _now(), why
        if len(self._past) < MOST_HELD:
            self._past.append(held)
        after = f"ended after {held.held_s:,.0f} s on {held.host}"
        self.say(f"{_name(replica)}: its server has {after}: {why}")

    def last_words(self, replica: Replica, lines: Sequence[str]) -> None:
        """Log the last output of a server that is given up."""
        for line in lines:
            self.say(f"{_name(replica)} | {line}")

    def set_aside(self, model: str, why: str) -> None:
        """Note that no server of a model is left."""
        self.say(f"{model}: no new episodes will start: {why}")

    @property
    def gpu_s(self) -> dict[str, float]:
        """The GPU seconds that each model's servers have used in this run."""
        found: dict[str, float] = {}
        for one in (*self._past, *self._held.values()):
            gpus = one.holds.get("GPU", 0.0)
            if gpus:
                held_s = monotonic() - one.began_s if one.held_s is None else one.held_s
                found[one.model] = found.get(one.model, 0.0) + gpus * held_s
        return found

    @property
    def record(self) -> dict[str, Any]:
        """What answered for each model, and when each server was where; {} without servers."""
        held = sorted((*self._past, *self._held.values()), key=lambda one: one.began_s)
        if not held:
            return {}
        timeline = [_line(one) for one in held]
        facts = {model: asdict(facts) for model, facts in self._facts.items()}
        answered = [{"model": model, **asdict(one)} for (model, _), one in self._answered.items()]
        record = {"facts": facts, "answered": answered, "timeline": timeline}
        # As when read back from the manifest, where tuples are lists.
        return json_copy(record)

    def _changed(self, replica: Replica, status: ServerStatus) -> None:
        held = self._held[replica]
        if status.state == "ready":
            held.ready_at = held.ready_at or _now()
            began_s = self._said[replica].start_s or held.began_s
            self.say(f"{_name(replica)}: ready after {monotonic() - began_s:,.0f} s")
            if status.facts is not None:
                self._learn(replica.model, status.facts)
        elif status.state == "waiting":
            self.say(f"{_name(replica)}: {status.trouble}; it is started again")

    def _learn(self, model: str, facts: ServerFacts) -> None:
        before = self._facts.get(model)
        earlier = before.fingerprint if before is not None else self.earlier.get(model)
        self._facts[model] = facts
        if len(self._answered) < MOST_HELD:
            self._answered.setdefault((model, facts.fingerprint), facts)
        if earlier is not None and earlier != facts.fingerprint:
            self.say(
                f"{model}: another server than before answers for this model (fingerprint"
                f" {facts.fingerprint}, earlier {earlier}): engine, weights, arguments, chat"
                " template or GPU have changed"
            )


def _line(held: _Held) -> dict[str, Any]:
    line = {key: value for key, value in asdict(held).items() if key != "began_s"}
    if held.held_s is None:
        so_far_s = monotonic() - held.began_s
        line["held_s"] = so_far_s // RECORDED_EVERY_S * RECORDED_EVERY_S
    return line


def _name(replica: Replica) -> str:
    return replica.model if not replica.index else f"{replica.model} (server {replica.index + 1})"


def _amounts(amounts: Mapping[str, float]) -> str:
    return ", ".join(f"{amount:g} {what}" for what, amount in amounts.items()) or "on its CPU"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
