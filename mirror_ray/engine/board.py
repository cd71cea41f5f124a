"""The state of a run in figures: episodes, steps, calls, cost and errors, per model.

Knows how to add up what episodes and processes report; does not know who polls, nor how it is
shown. Counters of a process that died go on where they stood.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from time import monotonic
from types import MappingProxyType

from mirror_ray.engine.costs import Costs, ModelCosts, Paid
from mirror_ray.engine.limiter import LimiterStats
from mirror_ray.engine.provider import ModelTally
from mirror_ray.types import FINAL_KINDS

RATE_WINDOW_S = 15.0


class Running:
    """The sum of one counter over several processes, each of which may begin again at 0."""

    def __init__(self) -> None:
        self._now: dict[Hashable, float] = {}
        self._before = 0.0

    def read(self, source: Hashable, value: float) -> None:
        """The counter of `source` stands at `value` now."""
        if value < self._now.get(source, 0.0):
            self._before += self._now[source]
        self._now[source] = value

    @property
    def total(self) -> float:
        """What all sources have counted, former lives included."""
        return self._before + sum(self._now.values())


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model's row of the display.

    Args:
        waiting: asks under way, of which some wait for their turn.
        cost_usd: known costs of this run alone.
        latency_s: the mean so far; None before an answer.
        paused_s: how long its key's lane still pauses.
    """

    model: str
    done: int
    failed: int
    planned: int
    calls: int
    waiting: int
    cost_usd: float
    costs: ModelCosts
    latency_s: float | None
    paused_s: float
    errors: Mapping[str, int]


class _ModelState:
    def __init__(self, planned: int, done: int, failed: int, key: str) -> None:
        self.planned, self.done, self.failed = planned, done, failed
        self.key = key
        self.calls, self.answers = Running(), Running()
        self.latency_s, self.cost_usd = Running(), Running()
        self.errors: defaultdict[str, Running] = defaultdict(Running)
        self.failures: Counter[str] = Counter()
        self.waiting: dict[Hashable, int] = {}


class Board:
    """What a run has done so far.

    Args:
        planned: model → episodes of the whole plan.
        done, failed: model → of these, how many had come to a final end before this run.
        key_of: model → the rate-limited key it draws on; its own name where absent.
        paid: model → what earlier runs paid.
    """

    def __init__(
        self,
        planned: Mapping[str, int],
        done: Mapping[str, int],
        failed: Mapping[str, int],
        *,
        key_of: Mapping[str, str] = MappingProxyType({}),
        paid: Mapping[str, Paid] = MappingProxyType({}),
    ) -> None:
        self._models = {
            model: _ModelState(
                count,
                done.get(model, 0),
                failed.get(model, 0),
                key_of.get(model, model),
            )
            for model, count in planned.items()
        }
        self.costs = Costs(planned, paid)
        """What it has cost and will come to."""
        self._paused_s: Mapping[str, float] = {}
        self._asks = Running()
        self._recent: deque[tuple[float, float]] = deque([(monotonic(), 0.0)])
        self._ended = 0
        self._news: list[str] = []
        self._told: set[tuple[str, str]] = set()

    def episode_ended(
        self, model: str, error_kind: str, error: str | None, cost_usd: float | None = None
    ) -> None:
        """An episode of this run came to its end, and has cost so much, earlier runs included."""
        state = self._models[model]
        self._ended += 1
        if error_kind in FINAL_KINDS and cost_usd is not None:
            self.costs.ended(model, cost_usd)
        if error_kind == "none":
            state.done += 1
            return
        state.failed += 1
        state.failures[error_kind] += 1
        self._tell(model, error_kind, error)

    def simulator_read(self, index: int, asks: int) -> None:
        """A Simulator has seen so many asks answered since its process began."""
        self._asks.read(index, asks)
        now_s = monotonic()
        self._recent.append((now_s, self._asks.total))
        while len(self._recent) > 2 and now_s - self._recent[0][0] > RATE_WINDOW_S:
            self._recent.popleft()

    def provider_read(self, source: Hashable, tallies: Mapping[str, ModelTally]) -> None:
        """The Provider in process `source` has counted this since the process began."""
        for model, tally in tallies.items():
            state = self._models[model]
            state.calls.read(source, tally.calls)
            state.answers.read(source, tally.answers)
            state.latency_s.read(source, tally.latency_s)
            state.cost_usd.read(source, tally.cost_usd)
            state.waiting[source] = tally.waiting
            for kind, times in tally.errors.items():
                state.errors[kind].read(source, times)
                self._tell(model, kind, tally.last_error[kind])

    def limiter_read(self, stats: LimiterStats) -> None:
        """What the Limiter says of money and lanes."""
        self.costs.read(stats.purses)
        self._paused_s = {key: lane.paused_s for key, lane in stats.lanes.items()}

    def say(self, line: str) -> None:
        """Something a person should read, above the figures."""
        self._news.append(line)

    def news(self) -> list[str]:
        """What is to be said since this was last asked; an error once per model and kind."""
        news, self._news = self._news, []
        return news

    @property
    def lines(self) -> list[ModelLine]:
        """One line per model, in the plan's order."""
        return [self._line(model) for model in self._models]

    @property
    def done(self) -> int:
        """Episodes ended well, earlier runs included."""
        return sum(state.done for state in self._models.values())

    @property
    def failed(self) -> int:
        """Episodes that failed; those that may be played again only if it was in this run."""
        return sum(state.failed for state in self._models.values())

    @property
    def planned(self) -> int:
        """Episodes of the whole plan."""
        return sum(state.planned for state in self._models.values())

    @property
    def steps(self) -> int:
        """Asks answered live in this run."""
        return int(self._asks.total)

    @property
    def steps_per_s(self) -> float:
        """Live asks per second, over the last seconds."""
        (first_s, first), (last_s, last) = self._recent[0], self._recent[-1]
        return (last - first) / (last_s - first_s) if last_s > first_s else 0.0

    @property
    def calls(self) -> int:
        """Attempts made in this run, retries included."""
        return int(sum(state.calls.total for state in self._models.values()))

    @property
    def cost_usd(self) -> float:
        """Known costs of this run."""
        return sum(state.cost_usd.total for state in self._models.values())

    @property
    def spent_usd(self) -> float:
        """Known costs, earlier runs included."""
        return sum(line.costs.spent_usd for line in self.lines)

    @property
    def projected_usd(self) -> float | None:
        """What the whole plan comes to at the mean costs so far; None while one is unknown."""
        projected = [line.costs.projected_usd for line in self.lines]
        return None if None in projected else sum(usd or 0.0 for usd in projected)

    @property
    def eta_s(self) -> float | None:
        """Seconds left at the present rate; None before an episode has ended.

        Short episodes end first, so the mean length of those that have ended would promise too
        much. Asks per end so far, those of unended episodes included, is the expected rest of an
        episode, begun or not, whose end is equally likely at every step.
        """
        if not self._ended or not self.steps_per_s:
            return None
        left = self.planned - self.done - self.failed
        return left * self.steps / self._ended / self.steps_per_s

    def _tell(self, model: str, kind: str, error: str | None) -> None:
        if (model, kind) not in self._told:
            self._told.add((model, kind))
            self._news.append(f"{model}: {kind}: {error or 'no further word'}")

    def _line(self, model: str) -> ModelLine:
        state = self._models[model]
        answered = state.answers.total + sum(seen.total for seen in state.errors.values())
        errors = Counter({kind: int(seen.total) for kind, seen in state.errors.items()})
        return ModelLine(
            model=model,
            done=state.done,
            failed=state.failed,
            planned=state.planned,
            calls=int(state.calls.total),
            waiting=sum(state.waiting.values()),
            cost_usd=state.cost_usd.total,
            costs=self.costs.of(model, state.cost_usd.total),
            latency_s=state.latency_s.total / answered if answered else None,
            paused_s=self._paused_s.get(state.key, 0.0),
            errors=errors | state.failures,
        )
