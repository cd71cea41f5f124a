"""A run's work, part after part: the known stages, or the rounds of a sweep with `until`. The
records after each part determine the next one."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import ceil
from statistics import fmean

from mirror_ray.asking.reask import ASKS_PER_STEP
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.earlier_runs import ResumeState, load_resume_state
from mirror_ray.engine.driver.episode_order import EpisodeOrder, leases_for
from mirror_ray.engine.driver.events import RunEvents
from mirror_ray.engine.driver.leases import Leases
from mirror_ray.engine.driver.model_groups import traits_of
from mirror_ray.engine.driver.rounds_of_run import Rounds
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, free_models
from mirror_ray.records.partner_costs import partner_costs_so_far, parts_by_model
from mirror_ray.records.so_far import unpriced_so_far
from mirror_ray.sweep.earlier import next_stages
from mirror_ray.sweep.plan import Plan

_MOST_NAMED = 8


@dataclass(slots=True)
class Work:
    """A part of a run.

    Args:
        resume_state: its recorded state; `left` is played now.
        words: the reason for this part, as text.
        settled: model → episodes that will not be played.
        playing_s: from the first lease to the last episode's end.
        simulator_mib: the largest Simulator's resident memory; None if none was started.
    """

    plan: Plan
    resume_state: ResumeState
    counters: RunCounters
    leases: Leases
    events: RunEvents
    words: tuple[str, ...] = ()
    settled: Mapping[str, int] = field(default_factory=dict)
    interrupted: bool = False
    playing_s: float = 0.0
    simulator_mib: float | None = None

    def stop(self) -> None:
        """Stop the run on the user's request."""
        if not self.interrupted:
            self.counters.say(
                "Stopping once the calls that were sent are answered; again: at once."
            )
        self.interrupted = self.counters.stopping = True

    def recount(self) -> None:
        """Count requests without a known price in the complete records, each request once."""
        out, asked, unpriced = self.plan.sweep.out, self.plan.asked_by_a_run, Counter[str]()
        partners = partner_costs_so_far(out, asked).unpriced
        for _, model, n_asks in parts_by_model(unpriced_so_far(out), partners, asked):
            unpriced[model] += n_asks
        self.counters.recounted(unpriced)


def work_of(
    plan: Plan,
    before: Sequence[Work],
    events: RunEvents,
    rounds: Rounds | None,
    words: tuple[str, ...] = (),
) -> Work:
    """Return the work of a plan that is to be played now.

    Args:
        before: the parts that this run has played.
        rounds: of the sweep's `until`, if it has one.

    Raises:
        RunDirError: the records are unusable, or belong to another run.
    """
    state = asyncio.run(load_resume_state(plan, tried(before)))
    settled = Counter[str]()
    if rounds is not None:
        now = rounds.next(state, tried(before))
        state, settled = replace(state, left=now.left), now.settled
        words = (*words, *now.words)
    limit_key_of = {model.name: model.limits.key for model in plan.models.values()}
    # A ceiling of a model or a cell may stop either anywhere; even so, equal scenes have been
    # played.
    sweep = plan.sweep
    in_order = bool(sweep.budget_per_model_usd) or sweep.budget_per_cell_usd is not None
    return Work(
        plan,
        state,
        RunCounters(
            _planned(plan),
            state.done,
            state.failed,
            partners=Counter(name for spec in plan.asked_by_a_run for name in spec.cell.others),
            limit_key_of=limit_key_of,
            paid=state.paid,
            unpaid=state.unpaid,
            settled=settled,
            longest=_longest(plan),
            traits={name: traits_of(name, asdict(one)) for name, one in plan.models.items()},
            on_news=events.news,
        ),
        Leases(
            EpisodeOrder(leases_for(plan.episodes, state.left), limit_key_of, in_order=in_order),
            free_models(plan),
        ),
        events,
        words,
        settled,
    )


def _longest(plan: Plan) -> dict[str, float]:
    of_cells = {spec.cell.cell_id: spec for spec in plan.asked_by_a_run}
    steps: dict[str, list[int]] = {}
    for spec in of_cells.values():
        family = FAMILIES[spec.cell.family]
        # Few replies are unreadable, so that a step's request is sent once more.
        each = ASKS_PER_STEP if "max_steps" in family.axes else 1
        steps.setdefault(spec.cell.model, []).append(ceil(family.max_asks(spec) / each))
    return {model: fmean(each) for model, each in steps.items()}


def _planned(plan: Plan) -> dict[str, int]:
    partners = {name: 0 for cell in plan.cells for _, name in cell.beside}
    return {**partners, **Counter(spec.cell.model for spec in plan.asked_by_a_run)}


def asked_later(work: Work) -> frozenset[str]:
    """Return models that later parts may use; none if Simulators need the servers' GPUs."""
    plan = work.plan
    if plan.sweep.engine.draw_on == "gpu":
        return frozenset()
    cells = [cell for stage in plan.stages[plan.begun :] for cell in stage.cells]
    if plan.sweep.until is not None:
        state = work.resume_state
        over = state.ended | {spec.episode_id for spec in state.left}
        not_now = [spec.cell for spec in plan.episodes if spec.episode_id not in over]
        unsettled = Counter(cell.model for cell in not_now) - Counter(work.settled)
        cells += {cell for cell in not_now if cell.model in unsettled}
    return frozenset(name for cell in cells for _, name in cell.models)


def goes_on(work: Work) -> bool:
    """Return whether more parts may follow: neither the user nor the budget ended the run."""
    if work.interrupted or SWEEP_SCOPE in work.leases.spent:
        return False
    has_rounds = work.plan.sweep.until is not None and bool(work.resume_state.left)
    return has_rounds or work.plan.begun < len(work.plan.stages)


def next_work(works: Sequence[Work], events: RunEvents, rounds: Rounds | None) -> Work:
    """Return the next stages, or the next round. If that was the last, nothing is left in it."""
    plan = works[-1].plan
    if rounds is not None:
        return work_of(plan, works, events, rounds)
    longer = next_stages(plan)
    reached = (_stages_reached(plan, longer), *_cells_without_episodes(plan, longer))
    return work_of(longer, works, events, None, reached)


def tried(works: Sequence[Work]) -> set[str]:
    """Return the ids of the episodes that this run has played or tried to play."""
    return {spec.episode_id for work in works for spec in work.resume_state.left}


def _stages_reached(plan: Plan, longer: Plan) -> str:
    reached = longer.stages[plan.begun : longer.begun]
    cells = [cell for stage in reached for cell in stage.cells]
    names = dict.fromkeys(f"{cell.family} {cell.condition}" for cell in cells)
    more = len(longer.episodes) - len(plan.episodes)
    return (
        f"Stage {longer.begun} of {len(longer.stages)}, {', '.join(names)}:"
        f" {more:,} episodes follow from those before."
    )


def _cells_without_episodes(plan: Plan, longer: Plan) -> list[str]:
    listed = {spec.cell for spec in longer.episodes}
    cells = (cell for stage in longer.stages[plan.begun : longer.begun] for cell in stage.cells)
    names = list(
        dict.fromkeys(f"{one.condition} of {one.model}" for one in cells if one not in listed)
    )
    if not names:
        return []
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return [
        f"No episodes of {', '.join(names[:_MOST_NAMED])}{more}: the stages before have no"
        " readable replies for them."
    ]
