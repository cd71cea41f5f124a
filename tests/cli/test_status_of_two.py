"""Episodes of two models: status charges the model that was asked, as the report does."""

import asyncio
import json
from pathlib import Path

import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.spending import spending
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.cli.status_counts import read_status
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.manifest import read_manifest
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.recorded import recorded_episodes
from support.recorded_run import Says
from support.staged_run import play_stages, staged_plan

A, B, LIAR = "scripted/self-finder", "scripted/other-taker", "scripted/liar"
COST_USD = {A: 0.25, B: 0.5, LIAR: 0.125}
SCHEMAS = {name: family.schemas for name, family in FAMILIES.items()}


def says(request: Request) -> Reply:
    reply = {"action": "a", "identification": "red", "tell": "blue", "selected_cube": "none"}
    return Reply(
        json.dumps(reply),
        finish_reason="stop",
        cost_usd=None if request.ask_index == 2 else COST_USD[request.model],
        started_at=f"2026-01-01T00:00:0{request.ask_index}+00:00",
    )


def room(tmp_path: Path) -> Plan:
    stage = {"family": "dyad", "conditions": ["talk"], "seeds": 2, "max_steps": 3}
    return staged_plan(tmp_path / "run", [A, B], {**stage, "partner": ["each", LIAR]})


def played(tmp_path: Path, reply: Says) -> Plan:
    """Its journal is elsewhere: nothing was recorded there ask by ask."""
    plan = play_stages(room(tmp_path), reply)
    Path(plan.sweep.out, JOURNAL_NAME).unlink()
    return plan


def test_asks_and_money_are_those_of_the_model_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = played(tmp_path, says)
    with open_run(plan.sweep.out) as connection:
        reported = {
            row["model"]: (row["n_asks"], row["n_unpriced"], row["cost_usd"])
            for row in spending(Reading(connection))
        }
    assert reported[LIAR][0] > 0
    main(["status", plan.sweep.out, "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert {
        row["model"]: (row["asks"], row["n_unpriced"], row["spent_usd"]) for row in rows
    } == reported
    assert {row["model"]: row["planned"] for row in rows}[LIAR] == 0


def test_so_are_those_of_an_episode_that_has_not_ended(tmp_path: Path) -> None:
    plan = play_stages(room(tmp_path), says)
    manifest = read_manifest(plan.sweep.out)
    before = {row[2]: row for row in read_status(plan.sweep.out, manifest).rows}
    stages = [{**stage, "seeds": 3} for stage in manifest["sweep"]["stages"]]
    grown = {**manifest, "sweep": {**manifest["sweep"], "stages": stages}}
    episodes = recorded_episodes(plan.sweep.out, grown).values()
    spec = next(one for one in episodes if one.scene_seed == 2 and one.cell.models[1][1] == LIAR)

    async def begin() -> None:
        recorder = Recorder(plan.sweep.out, SCHEMAS)
        for ask, (_, model) in enumerate(spec.cell.models, start=1):
            asked = Asked("words", None, {}, is_partner=model == LIAR)
            request = Request(
                spec.episode_id, ask, spec.cell.cell_id, model, "", "", (), None, 0.2, 100
            )
            reply = Reply("", cost_usd=COST_USD[model], started_at=str(ask))
            await recorder.record(asked.answered(request, reply))
        await recorder.close()

    asyncio.run(begin())
    after = {row[2]: row for row in read_status(plan.sweep.out, grown).rows}
    for model in (spec.cell.model, LIAR):
        assert after[model][6] == before[model][6] + 1
        assert after[model][8] == pytest.approx(before[model][8] + COST_USD[model])


def test_what_the_plan_comes_to_counts_each_part_once(tmp_path: Path) -> None:
    """All has ended: what was spent is all there will be, of each model and in all."""
    plan = played(tmp_path, lambda one: Reply(says(one).text, cost_usd=COST_USD[one.model]))
    found = read_status(plan.sweep.out, read_manifest(plan.sweep.out))
    for costs in found.costs.values():
        assert costs.projected_usd == pytest.approx(costs.spent_usd)
    assert set(found.costs) == {A, B, LIAR}
