"""Counts of a model and of all Simulators, summed over restarted processes, and a model's displayed
row."""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from mirror_ray.engine.driver.cost_forecast import ModelCosts, sum_of
from mirror_ray.engine.driver.remaining import MOST_LENGTHS, Load, Pace, run_left, seconds_left
from mirror_ray.engine.limiter.circuit_breaker import Unreachable
from mirror_ray.sweep.ranges import ZERO_RANGE, Range

_DRAWN_EVERY_S = 5.0
MOST_DRAWN = 100
"""The most models whose remaining time is estimated in one refresh. An estimate keeps the driver
busy for a millisecond, and a run may have ten thousand models."""


class ResettableCounter:
    """The sum of one counter over several processes, each of which may start again at 0."""

    def __init__(self) -> None:
        self._now: dict[Hashable, float] = {}
        self._before = 0.0

    def read(self, source: Hashable, value: float) -> None:
        """Take over the current value of a source's counter."""
        if value < self._now.get(source, 0.0):
            self._before += self._now[source]
        self._now[source] = value

    @property
    def total(self) -> float:
        """The sum over all sources, earlier processes included."""
        return self._before + sum(self._now.values())


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model's row of the display.

    Args:
        unpaid: episodes stopped for lack of money, which a later run resumes.
        waiting: requests in flight, some of which wait for a slot.
        cost_usd: known costs of this run alone.
        latency_s: the mean so far.
        paused_s: the remaining pause of its key.
        retried: failed attempts that were retried, by kind.
        unreachable: since when its calls have failed, and when the next one is tried.
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
    unpaid: int = 0
    retried: Mapping[str, int] = field(default_factory=dict)
    unreachable: Unreachable | None = None
    left_s: Range | None = None


def sum_of_lines(label: str, lines: Sequence[ModelLine]) -> ModelLine:
    """Combine several models' rows, with the longest pause and the mean latency over calls."""
    timed = [(one.latency_s, one.calls) for one in lines if one.latency_s is not None]
    calls = sum(weight for _, weight in timed)
    return ModelLine(
        model=label,
        done=sum(one.done for one in lines),
        failed=sum(one.failed for one in lines),
        planned=sum(one.planned for one in lines),
        calls=sum(one.calls for one in lines),
        waiting=sum(one.waiting for one in lines),
        cost_usd=sum(one.cost_usd for one in lines),
        costs=sum_of([one.costs for one in lines]),
        latency_s=sum(latency * weight for latency, weight in timed) / calls if calls else None,
        paused_s=max((one.paused_s for one in lines), default=0.0),
        errors=sum_of_counts(one.errors for one in lines),
        unpaid=sum(one.unpaid for one in lines),
        retried=sum_of_counts(one.retried for one in lines),
        left_s=run_left([one.left_s for one in lines]),
    )


def sum_of_counts(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Add up counts by kind."""
    summed = Counter[str]()
    for one in counts:
        summed.update(one)
    return summed


class ModelState:
    """The counters behind a model's line."""

    def __init__(self, planned: int, done: int, failed: int, unpaid: int, key: str) -> None:
        self.planned, self.done, self.failed, self.unpaid = planned, done, failed, unpaid
        self.key = key
        self.calls, self.answers = ResettableCounter(), ResettableCounter()
        self.latency_s, self.cost_usd = ResettableCounter(), ResettableCounter()
        self.errors: defaultdict[str, ResettableCounter] = defaultdict(ResettableCounter)
        self.retried: defaultdict[str, ResettableCounter] = defaultdict(ResettableCounter)
        self.unpriced = ResettableCounter()
        self.failures: Counter[str] = Counter()
        self.waiting: dict[Hashable, int] = {}
        self.pace = Pace()
        self.playing: dict[str, float] = {}
        """Episodes in flight, each with `pace.of_each` at its start."""
        self.lengths: deque[int] = deque(maxlen=MOST_LENGTHS)
        self.settled = self.ended = 0
        self.longest = 1.0
        self.drawn_s = -inf
        """When its remaining time was last estimated."""
        self._left: Range | None = None

    @property
    def left(self) -> int:
        """Episodes that have not ended yet."""
        return self.planned - self.done - self.failed - self.unpaid - self.settled

    def load(self, left_usd: float | None = None) -> Load:
        """Return the remaining work, given the rest of the model's own budget."""
        steps, paid = self.answers.total, inf
        if left_usd is not None and self.cost_usd.total > 0:
            paid = steps * left_usd / self.cost_usd.total
        so_far = tuple(self.pace.of_each - start for start in self.playing.values())
        lengths, step_time = tuple(self.lengths), self.pace.step_time()
        return Load(steps, self.ended, lengths, so_far, self.left, self.longest, step_time, paid)

    def is_due(self, now_s: float) -> bool:
        """Return whether its remaining time can be estimated and has no recent estimate."""
        due_s = self.drawn_s + _DRAWN_EVERY_S
        return bool(self.left) and now_s >= due_s and self.pace.is_known

    def left_s(self, now_s: float, left_usd: float | None, *, draws: bool) -> Range | None:
        """Return the time until its last episode ends, by a new estimate if `draws`, else by the
        last one; None before the first. `left_usd` is the rest of its own budget."""
        if not self.left:
            return ZERO_RANGE
        if draws:
            self.drawn_s, self._left = now_s, seconds_left(self.load(left_usd))
        since_s = now_s - self.drawn_s
        return self._left and self._left.each(lambda one: max(0.0, one - since_s))


def due_models(models: Mapping[str, ModelState], now_s: float) -> set[str]:
    """Return the models whose remaining time is estimated in this refresh: of those that are due,
    the ones with the oldest estimates."""
    due = [model for model, state in models.items() if state.is_due(now_s)]
    return set(sorted(due, key=lambda model: models[model].drawn_s)[:MOST_DRAWN])


_RATE_WINDOW_S = 15.0


class SimulatorCounts:
    """What all Simulators of a run have counted."""

    def __init__(self) -> None:
        self._steps = ResettableCounter()
        self._drawn, self._reused = ResettableCounter(), ResettableCounter()
        self._recent: deque[tuple[float, float]] = deque([(monotonic(), 0.0)])

    def read(self, index: int, steps: int, drawn: int = 0, reused: int = 0) -> None:
        """Take over what a Simulator has counted since its process started.

        Args:
            steps: requests answered live.
            drawn: pictures that it rendered.
            reused: pictures shown again without being drawn.
        """
        self._steps.read(index, steps)
        self._drawn.read(index, drawn)
        self._reused.read(index, reused)
        now_s = monotonic()
        self._recent.append((now_s, self._steps.total))
        # At least the window, also after a pause without readings.
        while len(self._recent) > 2 and now_s - self._recent[1][0] > _RATE_WINDOW_S:
            self._recent.popleft()

    @property
    def steps(self) -> int:
        """Requests answered live in this run."""
        return int(self._steps.total)

    @property
    def pictures_drawn(self) -> int:
        """Pictures drawn in this run."""
        return int(self._drawn.total)

    @property
    def pictures_reused(self) -> int:
        """Pictures of this run that had been drawn for an earlier request."""
        return int(self._reused.total)

    @property
    def steps_per_s(self) -> float:
        """Live requests per second, over the last seconds."""
        (first_s, first), (last_s, last) = self._recent[0], self._recent[-1]
        return (last - first) / (last_s - first_s) if last_s > first_s else 0.0
