"""A run's counters per model, which survive restarts of processes."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from types import MappingProxyType

from mirror_ray.core.error_kinds import FINAL_KINDS, UNPAID
from mirror_ray.core.known_costs import sum_if_known
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.engine.driver.cost_forecast import Costs, Paid
from mirror_ray.engine.driver.model_counts import ModelLine, ModelState, SimulatorCounts, due_models
from mirror_ray.engine.driver.model_groups import Traits, traits_of
from mirror_ray.engine.driver.remaining import at_most, run_left, share_done
from mirror_ray.engine.limiter.circuit_breaker import Unreachable
from mirror_ray.engine.limiter.messages import LimiterStats
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.sweep.ranges import Range

_MOST_NEWS = 160  # Characters of an error; the log has all of it.


class RunCounters:
    """A run's counters, summed over processes that may restart.

    Args:
        planned: model → episodes of the whole plan.
        partners: model → the other models' episodes that it takes part in.
        done, failed: model → episodes that had ended before this run.
        limit_key_of: model → its rate-limited key; its own name if absent.
        paid: model → payments of earlier runs.
        unpaid: model → episodes stopped for lack of money in earlier stages of this run.
        settled: model → episodes not played because `until` has decided.
        longest: model → the most steps that an episode may have, as a mean over its episodes.
        traits: model → its groups among other models; derived from its name if absent.
        on_news: called with every line of news.
    """

    def __init__(
        self,
        planned: Mapping[str, int],
        done: Mapping[str, int],
        failed: Mapping[str, int],
        *,
        partners: Mapping[str, int] = MappingProxyType({}),
        limit_key_of: Mapping[str, str] = MappingProxyType({}),
        paid: Mapping[str, Paid] = MappingProxyType({}),
        unpaid: Mapping[str, int] = MappingProxyType({}),
        settled: Mapping[str, int] = MappingProxyType({}),
        longest: Mapping[str, float] = MappingProxyType({}),
        traits: Mapping[str, Traits] = MappingProxyType({}),
        on_news: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._on_news = on_news
        self._models = {
            model: ModelState(
                count,
                done.get(model, 0),
                failed.get(model, 0),
                unpaid.get(model, 0),
                limit_key_of.get(model, model),
            )
            for model, count in planned.items()
        }
        for model, state in self._models.items():
            state.settled, state.longest = settled.get(model, 0), longest.get(model, 100.0)
        self.settled = sum(settled.values())
        """Episodes of the plan that are not played because their cells are decided."""
        to_pay = {model: count - settled.get(model, 0) for model, count in planned.items()}
        self.costs = Costs(to_pay, paid, partners)
        self.traits = {model: traits.get(model) or traits_of(model, {}) for model in planned}
        self._paused_s: Mapping[str, float] = {}
        self._unreachable: Mapping[str, Unreachable] = {}
        self.replies_due = 0
        """Calls that were sent but not answered."""
        self._began_s = monotonic()
        self.replied_at: float | None = None
        """Unix time of the last reply of this run."""
        self.stopping = False
        """Nothing more is sent, but replies to sent calls are awaited."""
        self.paused = False
        """A person has paused the run: no call is sent until somebody resumes it."""
        self.simulators = SimulatorCounts()
        """The counts of the Simulators in this run."""
        self._share = 0.0
        self._lines: list[ModelLine] | None = None
        self._news: list[str] = []
        self._reported: set[tuple[str, str]] = set()

    def episode_ended(
        self,
        model: str,
        error_kind: str,
        error: str | None,
        cost_usd: float | None = None,
        partners_usd: Mapping[str, float] = MappingProxyType({}),
        *,
        n_asks: int = 0,
    ) -> None:
        """Count an ended episode and its cost. `n_asks`: its requests, if all were of this run."""
        state, self._lines = self._models[model], None
        state.ended += 1
        if error_kind in FINAL_KINDS:
            state.lengths += [n_asks] if n_asks else []
            if cost_usd is not None:
                self.costs.ended(model, cost_usd, partners_usd)
        if error_kind == "none":
            state.done += 1
            return
        if error_kind == UNPAID:
            state.unpaid += 1
        else:
            state.failed += 1
            state.failures[error_kind] += 1
        self._report(model, error_kind, error)

    @contextmanager
    def playing(self, model: str, episode_id: str) -> Iterator[None]:
        """Count an episode as in flight for as long as the block runs."""
        state = self._models[model]
        state.playing[episode_id] = state.pace.of_each
        try:
            yield
        finally:
            del state.playing[episode_id]

    def played_again(self, model: str, error_kind: str) -> None:
        """Uncount a failed episode that is played again."""
        state, self._lines = self._models[model], None
        state.ended -= 1
        state.failed -= 1
        state.failures[error_kind] -= 1

    def provider_read(self, source: Hashable, model_counters: Mapping[str, ModelCounters]) -> None:
        """Take over the counts of a Provider's process, which may know models of later stages."""
        self._lines = None
        for model, counted in model_counters.items():
            if (state := self._models.get(model)) is None:
                continue
            state.calls.read(source, counted.calls)
            state.answers.read(source, counted.answers)
            state.latency_s.read(source, counted.latency_s)
            state.cost_usd.read(source, counted.cost_usd)
            state.waiting[source] = counted.waiting
            state.unpriced.read(source, counted.unpriced)
            state.pace.read(monotonic(), state.answers.total, len(state.playing))
            self.replied_at = max(self.replied_at or 0.0, counted.replied_at) or None
            for kind, times in counted.retried.items():
                state.retried[kind].read(source, times)
                self._report(model, kind, f"tried again: {counted.last_error[kind]}")
            for kind, times in counted.errors.items():
                if kind != UNPAID:
                    state.errors[kind].read(source, times)
                self._report(model, kind, counted.last_error[kind])
            for remark in counted.remarks:
                if (model, remark) not in self._reported:
                    self._reported.add((model, remark))
                    self.say(f"{model}: {remark}")

    def limiter_read(self, stats: LimiterStats) -> None:
        """Take over the Limiter's report on budgets and keys."""
        self._lines = None
        self.costs.read(stats.accounts)
        self._paused_s = {key: key_stats.paused_s for key, key_stats in stats.keys.items()}
        self.replies_due = sum(key_stats.in_flight for key_stats in stats.keys.values())
        self._unreachable = stats.unreachable

    def recounted(self, unpriced: Mapping[str, int]) -> None:
        """Correct each model's number of requests whose cost is not fully known."""
        for line in self.lines:
            self.costs.recounted(line.model, unpriced[line.model] - line.costs.unpriced)
        self._lines = None

    def say(self, line: str) -> None:
        """Show people a line above the figures."""
        self._news.append(line)
        self._on_news(line)

    def news(self) -> list[str]:
        """Return the lines since the last call; each error once per model and kind."""
        news, self._news = self._news, []
        return news

    @property
    def lines(self) -> list[ModelLine]:
        """Return one line per model, in the plan's order."""
        # Computed once per refresh, because for ten thousand models it takes a second.
        if self._lines is None:
            due = due_models(self._models, monotonic())
            self._lines = [self._line(model, draws=model in due) for model in self._models]
        return self._lines

    @property
    def done(self) -> int:
        """Episodes ended well, earlier runs included."""
        return sum(state.done for state in self._models.values())

    @property
    def failed(self) -> int:
        """Episodes that failed in this run, and those that failed for good in earlier runs."""
        return sum(state.failed for state in self._models.values())

    @property
    def unpaid(self) -> int:
        """Episodes that were started, but stopped for lack of money."""
        return sum(state.unpaid for state in self._models.values())

    @property
    def unplayed(self) -> int:
        """Episodes of the plan that have not ended yet."""
        return self.planned - self.done - self.failed - self.unpaid - self.settled

    @property
    def planned(self) -> int:
        """Episodes of the whole plan."""
        return sum(state.planned for state in self._models.values())

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
    def unpriced(self) -> int:
        """Requests whose cost is not fully known, earlier runs included."""
        return sum(line.costs.unpriced for line in self.lines)

    @property
    def run_unpriced(self) -> int:
        """This run's requests whose cost is not fully known."""
        return int(sum(state.unpriced.total for state in self._models.values()))

    @property
    def elapsed_s(self) -> float:
        """Seconds since the stage began."""
        return monotonic() - self._began_s

    @property
    def projected_usd(self) -> float | None:
        """The cost of the whole plan at the mean costs so far; None while a mean is unknown."""
        return sum_if_known([line.costs.projected_usd for line in self.lines])

    @property
    def left_s(self) -> Range | None:
        """Seconds until the last episode ends or the budget is spent; None without a pace."""
        left = run_left([line.left_s for line in self.lines])
        left_usd = self.costs.left_usd
        if left is None or left_usd is None or not self.cost_usd:
            return left
        return at_most(left, max(0.0, left_usd) * self.elapsed_s / self.cost_usd)

    @property
    def share_done(self) -> float:
        """Finished steps divided by expected steps, including episodes of earlier runs."""
        states = self._models.values()
        loads = [(one.load(None), max(0, one.done + one.failed - one.ended)) for one in states]
        self._share = max(self._share, share_done(loads))
        return self._share

    def _report(self, model: str, kind: str, error: str | None) -> None:
        if (model, kind) not in self._reported:
            self._reported.add((model, kind))
            said = one_printable_line(error or "no further word", _MOST_NEWS)
            self.say(f"{model}: {kind}: {said}")

    def _line(self, model: str, *, draws: bool) -> ModelLine:
        state = self._models[model]
        costs = self.costs.of(model, state.cost_usd.total, int(state.unpriced.total))
        answered = state.answers.total + sum(seen.total for seen in state.errors.values())
        return ModelLine(
            model=model,
            done=state.done,
            failed=state.failed,
            planned=state.planned,
            calls=int(state.calls.total),
            waiting=sum(state.waiting.values()),
            cost_usd=state.cost_usd.total,
            costs=costs,
            left_s=state.left_s(monotonic(), costs.left_usd, draws=draws),
            latency_s=state.latency_s.total / answered if answered else None,
            paused_s=self._paused_s.get(state.key, 0.0),
            errors=Counter({kind: int(n.total) for kind, n in state.errors.items()})
            | state.failures,
            unpaid=state.unpaid,
            retried={kind: int(seen.total) for kind, seen in state.retried.items() if seen.total},
            unreachable=self._unreachable.get(model),
        )
