"""What a run directory already holds of a plan: ended episodes, what is left, what was paid.

Knows the records' ends and ledger; does not know actors, nor how what is left gets played.
"""

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass

from mirror_ray.engine.accounts import free_models, spent_by_scope
from mirror_ray.engine.budget import model_scope
from mirror_ray.engine.cluster import row_schemas
from mirror_ray.engine.costs import Paid
from mirror_ray.engine.recorder import Recorder
from mirror_ray.errors import RunDirError
from mirror_ray.identity import EpisodeSpec
from mirror_ray.records.resume import sealed_cells
from mirror_ray.sweep.plan import Plan, Stage
from mirror_ray.tasks import FAMILIES
from mirror_ray.types import FINAL_KINDS


@dataclass(frozen=True, slots=True)
class Past:
    """Earlier runs.

    Args:
        left: episodes without a final end, in the plan's order.
        done, failed: model → its episodes with a final end, good or not.
        paid: model → what was paid for it.
    """

    left: tuple[EpisodeSpec, ...]
    done: Mapping[str, int]
    failed: Mapping[str, int]
    paid: Mapping[str, Paid]


async def look_back(plan: Plan, tried: Container[str] = ()) -> Past:
    """Opens the records, which also puts right what a crash has left.

    Args:
        tried: episodes that this run has played: those that failed are left to the next run.

    Raises:
        RunDirError: the records are unusable, another run is at them, or they hold episodes of
            data that are others now.
    """
    recorder = Recorder(plan.sweep.out, row_schemas(plan))
    try:
        ids = [spec.episode_id for spec in plan.episodes]
        ends = await recorder.finished(ids)
        # No process of an earlier run is left to record what it asked.
        await recorder.give_up_begun()
        ledger = await recorder.ledger()
        if plan.begun < len(plan.stages) or _read_files(plan):
            # They follow from shards, where a killed run may not have put everything yet.
            await recorder.seal()
    finally:
        await recorder.close()
    _refuse_other_data(plan, frozenset(ids))
    final = {ended: kind for ended, (_, kind) in ends.items() if kind in FINAL_KINDS}
    done, failed = Counter[str](), Counter[str]()
    ended_usd: dict[str, list[float]] = {}
    left = []
    free = free_models(plan)
    for spec, episode_id in zip(plan.episodes, ids, strict=True):
        model = spec.cell.model
        if episode_id in ends and episode_id not in final and episode_id in tried:
            failed[model] += 1
            continue
        if episode_id not in final:
            left.append(spec)
            continue
        (done if final[episode_id] == "none" else failed)[model] += 1
        if episode_id in ledger or model in free:
            ended_usd.setdefault(model, []).append(ledger.get(episode_id, 0.0))
    spent = spent_by_scope(ledger, plan.episodes)
    paid = {
        model: Paid(
            spent_usd=spent.get(model_scope(model), 0.0),
            ended=len(ended_usd.get(model, ())),
            ended_usd=sum(ended_usd.get(model, ())),
        )
        for model in dict.fromkeys(spec.cell.model for spec in plan.episodes)
    }
    return Past(tuple(left), done, failed, paid)


def _read_files(plan: Plan) -> dict[str, Stage]:
    """Cell id → its stage, of cells whose episodes are listed from files and already known."""
    waiting = {cell for stage in plan.stages[plan.begun :] for cell in stage.cells}
    return {
        cell.cell_id: stage
        for stage in plan.stages[: plan.begun]
        if _files_of(stage)
        for cell in stage.cells
        if cell not in waiting
    }


def _files_of(stage: Stage) -> dict[str, str]:
    """Option → file or folder that the stage reads."""
    options = FAMILIES[stage.family].options
    given = {name: str(value) for name, value in stage.shape.options.items() if value}
    return {name: path for name, path in given.items() if options[name].is_path}


def _refuse_other_data(plan: Plan, ids: Container[str]) -> None:
    """An episode is known by what it was given: one that is planned no more was given other data.

    Both in one run would count as one sample.
    """
    stage_of = _read_files(plan)
    if not stage_of:
        return
    others = [
        stage_of[cell]
        for episode, cell in sealed_cells(plan.sweep.out).items()
        if cell in stage_of and episode not in ids
    ]
    if others:
        keys = [f"{others[0].shape.where}.{name}" for name in _files_of(others[0])]
        raise RunDirError(
            f"{plan.sweep.out}\n"
            f"  got:     {len(others):,} recorded episodes that are not in"
            f" {', '.join(_files_of(others[0]).values())} ({', '.join(keys)}) as it is now\n"
            f"  allowed: the data that this run was begun with, wherever they lie\n"
            f"  fix:     put the former files back; for other data use another --out"
        )
