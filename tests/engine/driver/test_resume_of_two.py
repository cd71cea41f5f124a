"""Episodes of two models in a run that goes on: what earlier runs paid is the asked model's."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.cli.status_counts import read_status
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.driver.cost_forecast import ModelCosts
from mirror_ray.engine.driver.events import RunEvents
from mirror_ray.engine.driver.work import Work, work_of
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_log import RunLog
from mirror_ray.sweep.plan import Plan
from support.recorded_run import Says
from support.run_in_progress import in_progress, play
from support.staged_run import staged_plan

A, B, LIAR = "scripted/self-finder", "scripted/other-taker", "scripted/liar"
COST_USD = {A: 0.25, B: 0.5, LIAR: 0.125}
STAGE = {"family": "dyad", "conditions": ["talk"], "seeds": 2, "max_steps": 3}


def says(request: Request) -> Reply:
    reply = {"action": "a", "identification": "red", "tell": "blue", "selected_cube": "none"}
    return Reply(
        json.dumps(reply),
        finish_reason="stop",
        cost_usd=COST_USD[request.model],
        started_at=f"2026-01-01T00:00:0{request.ask_index}+00:00",
    )


def says_not_all_prices(request: Request) -> Reply:
    """What the second ask of an episode costs is not known; the two take turns."""
    reply = says(request)
    return replace(reply, cost_usd=None) if request.ask_index == 2 else reply


def begun(tmp_path: Path, reply: Says, *, most_asks: int = 4) -> tuple[Plan, Work]:
    """A run of which all but the last episode has ended, and what goes on with it."""
    plan = staged_plan(tmp_path / "run", [A, B], {**STAGE, "partner": ["each", LIAR]})

    async def do(recorder: Recorder) -> None:
        last = len(plan.episodes) - 1
        for number in range(last):
            await play(plan, reply, recorder, number)
        await play(plan, reply, recorder, last, most_asks)

    in_progress(plan, do)
    return plan, work_of(plan, (), RunEvents(plan, RunLog(tmp_path / "log")), None)


def costs_of(work: Work) -> dict[str, ModelCosts]:
    return {line.model: line.costs for line in work.counters.lines}


def test_the_console_begins_with_what_status_says(tmp_path: Path) -> None:
    plan, work = begun(tmp_path, says)
    found = read_status(plan.sweep.out, read_manifest(plan.sweep.out)).costs
    assert set(found) == {A, B, LIAR}
    told = costs_of(work)
    for model, costs in found.items():
        assert told[model].spent_usd == pytest.approx(costs.spent_usd)
        assert told[model].projected_usd == pytest.approx(costs.projected_usd)
    # Of the liar's own there is no episode, in any plan.
    assert found[LIAR].spent_usd > 0
    in_all_usd = sum(costs.spent_usd for costs in told.values())
    assert in_all_usd == pytest.approx(sum(costs.spent_usd for costs in found.values()))


def test_asks_of_unknown_price_are_the_asked_models_too_and_are_once_all_is_written(
    tmp_path: Path,
) -> None:
    plan, work = begun(tmp_path, says_not_all_prices)
    found = read_status(plan.sweep.out, read_manifest(plan.sweep.out)).costs
    unpriced = {model: costs.unpriced for model, costs in found.items()}
    assert len(set(unpriced.values())) > 1
    assert {model: costs.unpriced for model, costs in costs_of(work).items()} == unpriced
    # One of them was sent again in this run: it counts once.
    work.counters.provider_read("a process", {LIAR: ModelCounters(calls=1, unpriced=1)})
    assert costs_of(work)[LIAR].unpriced == unpriced[LIAR] + 1
    work.recount()
    assert {model: costs.unpriced for model, costs in costs_of(work).items()} == unpriced


def test_of_a_model_without_prices_no_total_is_told(tmp_path: Path) -> None:
    def says_no_price_of_the_liar(request: Request) -> Reply:
        reply = says(request)
        return replace(reply, cost_usd=None) if request.model == LIAR else reply

    plan, work = begun(tmp_path, says_no_price_of_the_liar)
    found = read_status(plan.sweep.out, read_manifest(plan.sweep.out)).costs
    assert found[LIAR].projected_usd is None
    assert costs_of(work)[LIAR].projected_usd is None
    assert work.counters.projected_usd is None


def test_what_is_left_is_paid_for_in_whole_episodes(tmp_path: Path) -> None:
    """Money is kept for episodes with all that both are asked in them."""
    _, work = begun(tmp_path, says)
    means_usd = work.counters.costs.means_usd
    # A's three kinds of rooms, with itself, B and the liar, twice each; three asks of each body.
    whole_usd = 3 * (COST_USD[A] + (COST_USD[A] + COST_USD[B] + COST_USD[LIAR]) / 3)
    assert means_usd[A] == pytest.approx(whole_usd)
