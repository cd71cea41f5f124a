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
from mirror_ray.sweep.plan import Plan
from mirror_ray.types import FINAL_KINDS, EpisodeSpec


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
        RunDirError: the records are unusable, or another run is at them.
    """
    recorder = Recorder(plan.sweep.out, row_schemas(plan))
    try:
        ids = [spec.episode_id for spec in plan.episodes]
        ends = await recorder.finished(ids)
        # No process of an earlier run is left to record what it asked.
        await recorder.give_up_begun()
        ledger = await recorder.ledger()
        if plan.begun < len(plan.stages):
            # They follow from shards, where a killed run may not have put everything yet.
            await recorder.seal()
    finally:
        await recorder.close()
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
