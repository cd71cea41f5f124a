"""What a run goes on with: what is left, how the rest has ended, what was paid for each model."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.driver.cost_forecast import Paid
from mirror_ray.engine.driver.earlier_runs import ResumeState, load_resume_state
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.providers.model import Limits, Model
from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.sweep.plan import Plan
from support.engine.recorder_samples import COST_USD, entry
from support.plans import plan_of, scripted
from support.recorded_run import record_run

FREE = scripted("blind")
PAID = Model(
    name="maker/m",
    backend="hosted",
    target="maker/m",
    limits=Limits("maker/m"),
    usd_per_mtok_in=1.0,
    usd_per_mtok_out=2.0,
)
ENDS: tuple[ErrorKind, ...] = ("none", "none", "refusal", "server", "budget")
"""Of each model's episodes, in turn; a sixth has not ended."""


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """It has been played as `ENDS` says, and what has no row has a reply and a pending call.

    What the third has cost is not known.
    """
    whole = plan_of(
        tmp_path / "run", [FREE, PAID], conditions=("E1",), runs=6, axes=(("max_steps", 2),)
    )
    kinds = {spec.episode_id: kind for spec, kind in zip(_of(whole), 2 * ENDS, strict=False)}
    played = replace(
        whole, episodes=tuple(spec for spec in whole.episodes if spec.episode_id in kinds)
    )
    unpriced = _of(whole, PAID)[0].episode_id

    def says(ask: Request) -> Reply:
        cost_usd = None if ask.episode_id == unpriced else 0.0
        return Reply("", error_kind=kinds[ask.episode_id], cost_usd=cost_usd)

    record_run(played, says)

    async def pay() -> None:
        recorder = Recorder(whole.sweep.out, row_schemas())
        _, _, third, _, _, last = _of(whole, PAID)
        for spec in _of(whole, PAID):
            if spec is not third:
                await recorder.record(entry(spec.episode_id, 1, "x"))
        await recorder.begin([PendingCall(last.episode_id, 2, "dead", last.cell.cell_id, 0.5)])
        await recorder.close()

    asyncio.run(pay())
    return whole


def _of(plan: Plan, *models: Model) -> list[EpisodeSpec]:
    """A plan's episodes by model, but for each one's last where no model is named."""
    return [
        spec
        for model in models or plan.models.values()
        for spec in [one for one in plan.episodes if one.cell.model == model.name][
            : None if models else len(ENDS)
        ]
    ]


def state_of(plan: Plan, tried: Collection[str] = ()) -> ResumeState:
    return asyncio.run(load_resume_state(plan, tried))


def test_what_has_no_final_end_is_played_again_and_what_it_has_cost_is_known(plan: Plan) -> None:
    state = state_of(plan)
    ended = {one.episode_id for model in (FREE, PAID) for one in _of(plan, model)[:3]}
    assert state.ended == ended
    assert state.left == tuple(one for one in plan.episodes if one.episode_id not in ended)
    assert state.done == {FREE.name: 2, PAID.name: 2}
    assert state.failed == {FREE.name: 1, PAID.name: 1}
    assert state.unpaid == {}
    assert state.paid == {
        FREE.name: Paid(0.0, 3, 0.0, own=3),
        PAID.name: Paid(
            spent_usd=pytest.approx(5 * COST_USD),
            ended=2,
            ended_usd=pytest.approx(2 * COST_USD),
            unpriced=4,
            own=2,
            own_usd=pytest.approx(2 * COST_USD),
        ),
    }


def test_what_this_run_has_tried_is_left_to_the_next(plan: Plan) -> None:
    tried = {spec.episode_id for spec in plan.episodes if spec.cell.model == PAID.name}
    state = state_of(plan, tried)
    *_, failed, _, open_ = _of(plan, PAID)
    assert [one for one in state.left if one.cell.model == PAID.name] == [open_]
    assert state.failed == {FREE.name: 1, PAID.name: 2}
    assert state.unpaid == {PAID.name: 1}
    assert failed.episode_id in state.ended
    assert state.paid[PAID.name] == state_of(plan).paid[PAID.name]


def test_what_dead_calls_may_have_cost_is_presumed(plan: Plan) -> None:
    state_of(plan)
    recorder = Recorder(plan.sweep.out, row_schemas())
    sums = asyncio.run(recorder.sums())
    asyncio.run(recorder.close())
    assert (sum(sums.presumed_usd.values()), sums.pending) == (0.5, [])
