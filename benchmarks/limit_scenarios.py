"""Scenarios of `limits.py`: the server's limits, the callers' knowledge and demand, the targets."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

MINUTE_S = 60.0
LATENCY_S = 1.0
BURST_S = 1.0
OVERSUBSCRIBED = 4
"""Calls attempted at once, relative to what the limit and the latency can serve."""

PROMPT_CHARS, MAX_TOKENS = 400, 100
TOKENS_AT_MOST = PROMPT_CHARS // 4 + MAX_TOKENS
NO_END = 10**9
SHORTER = 4


@dataclass(frozen=True, slots=True)
class Scenario:
    """One row of the table, for either policy.

    Args:
        enforced: fields of the server's limits.
        knows: fields of `Limits` that the callers are given.
        calls: how many are needed in all.
        at_most_s: when the run is ended, complete or not.
        demand: each worker's share of the calls.
        halved_at_s: when the limit is halved without notice.
        from_s: when the share begins to count; before that, the limit is being discovered.
        share, rejected, late_s: targets; None without one.
        alone: whether the policies must not run in parallel, because there are too few cores.
    """

    name: str
    enforced: Mapping[str, Any]
    knows: Mapping[str, Any]
    calls: int
    at_most_s: float
    share: float | None = 0.98
    rejected: float | None = None
    late_s: float | None = None
    demand: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)
    halved_at_s: float = inf
    from_s: float = 0.0
    alone: bool = False

    @property
    def askers(self) -> int:
        """Calls attempted at the same time, over all workers."""
        by_tokens = self.enforced.get("tpm", inf) / TOKENS_AT_MOST
        per_s = min(self.enforced.get("rpm", inf), by_tokens) / MINUTE_S
        return max(24, round(OVERSUBSCRIBED * per_s * LATENCY_S))

    @property
    def calls_by_worker(self) -> tuple[int, ...]:
        """The calls of each worker; the first takes the remainder."""
        others = [round(self.calls * share) for share in self.demand[1:]]
        return (self.calls - sum(others), *others)

    def shorter(self) -> "Scenario":
        """Return the scenario at a quarter of its length."""
        return replace(
            self,
            calls=self.calls // SHORTER,
            at_most_s=self.at_most_s / SHORTER,
            from_s=self.from_s // SHORTER,
            halved_at_s=self.halved_at_s // SHORTER,
        )


@dataclass(frozen=True, slots=True)
class Use:
    """The outcome of a scenario, by the server's own count.

    Args:
        share: of the allowance that was used.
        calls, rejected: requests admitted and rejected.
        late_s: how much later than possible the last call was admitted; None if the calls had no
            end, or did not reach it.
    """

    share: float
    calls: int
    rejected: int
    late_s: float | None


def use_of(scenario: Scenario, counts: Mapping[str, Any]) -> Use:
    """Return the shares of a run.

    A bucket allows its initial content (a second of its rate) and what flowed in until the last
    needed call, or the run's end. Only windows that are entirely within the run count.
    """
    enforced = scenario.enforced
    calls = sum(number for _, number in counts["taken"])
    rejected = sum(number for _, number in counts["rejected"])
    if enforced.get("kind") == "window":
        whole = [number for _, number in counts["minutes"]][1:-1]
        return Use(sum(whole) / (len(whole) * enforced["rpm"]), calls, rejected, None)
    done = calls >= scenario.calls
    if "tpm" in enforced:
        until_s = counts["last_s"] if done else scenario.at_most_s
        share = counts["tokens"] / _flow(scenario, enforced["tpm"], until_s)
        return Use(share, calls, rejected, None)
    rpm, per_s = enforced["rpm"], enforced["rpm"] / MINUTE_S
    if done and scenario.from_s == 0:
        until_s = counts["last_s"]
        late_s = until_s - (calls - per_s * BURST_S) / per_s
        return Use(calls / _flow(scenario, rpm, until_s), calls, rejected, late_s)
    # The callers stop somewhere within the last second.
    until_s = scenario.at_most_s - 1
    used = sum(n for second, n in counts["taken"] if scenario.from_s <= second < int(until_s))
    allowance = _flow(scenario, rpm, int(until_s))
    if scenario.from_s > 0:
        # As if the bucket had been full again.
        allowance -= _flow(scenario, rpm, scenario.from_s) - per_s * BURST_S
    return Use(used / allowance, calls, rejected, None)


def _flow(scenario: Scenario, per_minute: float, until_s: float) -> float:
    """Return what a bucket allowed until then, including its initial content."""
    whole_s = min(until_s, scenario.halved_at_s)
    return (BURST_S + whole_s + (until_s - whole_s) / 2) * per_minute / MINUTE_S


SCENARIOS: Mapping[str, Scenario] = {
    "600": Scenario("600 RPM", {"rpm": 600}, {"rpm": 600}, 1200, 180, rejected=0.001, late_s=5.0),
    "3000": Scenario("3,000 RPM", {"rpm": 3000}, {"rpm": 3000}, 5000, 130, rejected=0.001),
    "60000": Scenario(
        "60,000 RPM", {"rpm": 60_000}, {"rpm": 60_000}, 100_000, 130, rejected=0.001, alone=True
    ),
    "rejections": Scenario(
        "600 RPM, rejections count",
        {"rpm": 600, "rejections_count": True},
        {"rpm": 600},
        1200,
        140,
        rejected=0.001,
    ),
    "skewed": Scenario(
        "600 RPM, 80 % of calls in one process",
        {"rpm": 600},
        {"rpm": 600},
        1200,
        180,
        rejected=0.001,
        demand=(0.8, 0.15, 0.05),
    ),
    "unknown": Scenario(
        "3,000 RPM, unknown: the second minute",
        {"rpm": 3000},
        {},
        NO_END,
        120,
        share=0.95,
        rejected=0.02,
        from_s=60.0,
    ),
    "unknown-slow": Scenario(
        "600 RPM, unknown: the second minute",
        {"rpm": 600},
        {},
        NO_END,
        120,
        share=0.95,
        rejected=0.02,
        from_s=60.0,
    ),
    "headers": Scenario(
        "3,000 RPM, told by headers: after 10 s",
        {"rpm": 3000, "headers": True},
        {},
        NO_END,
        70,
        share=0.95,
        rejected=0.02,
        from_s=10.0,
    ),
    "window": Scenario(
        "600 RPM in fixed minutes",
        {"rpm": 600, "kind": "window", "phase_s": 40.0},
        {"rpm": 600, "window": "minute"},
        NO_END,
        144,
        rejected=0.001,
    ),
    "tokens": Scenario(
        "120,000 tokens a minute", {"tpm": 120_000}, {"tpm": 120_000}, 1800, 180, rejected=0.001
    ),
    "halved": Scenario(
        "600 RPM, halved after 60 s",
        {"rpm": 600},
        {"rpm": 600},
        NO_END,
        120,
        share=None,
        halved_at_s=60.0,
    ),
}

QUICK = ("600", "3000", "rejections", "tokens")
