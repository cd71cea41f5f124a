"""What a run directory already has of a plan: ended episodes, costs, and what is left.

The Recorder is opened here before anything is played: it repairs what a crash left, and seals ended
episodes, from which later stages follow."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass

from mirror_ray.core.error_kinds import FINAL_KINDS, UNPAID
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.driver.cost_forecast import Paid
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.limiter.budget import free_models
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.partner_costs import partner_costs_so_far, parts_by_model
from mirror_ray.records.so_far import unpriced_so_far
from mirror_ray.sweep.earlier import refuse_other_data
from mirror_ray.sweep.plan import Plan


@dataclass(frozen=True, slots=True)
class ResumeState:
    """The state of a plan after earlier runs.

    Args:
        left: episodes without a final end, in the plan's order, except those of people.
        done, failed: model → its ended episodes.
        paid: model → its payments, including those in other models' episodes.
        unpaid: model → its episodes that this run stopped for lack of money.
        ended: ids of ended episodes, and of those that failed in this run.
    """

    left: tuple[EpisodeSpec, ...]
    done: Mapping[str, int]
    failed: Mapping[str, int]
    paid: Mapping[str, Paid]
    unpaid: Mapping[str, int]
    ended: frozenset[str]


async def load_resume_state(plan: Plan, tried: Container[str] = ()) -> ResumeState:
    """Open the records, which also repairs what a crash left behind.

    Args:
        tried: episodes that this run has played; those with an error are left to the next run.

    Raises:
        RunDirError: the records are unusable, in use by another run, or depend on data that have
            changed.
    """
    recorder = Recorder(plan.sweep.out, row_schemas(plan.families), replicate=plan.sweep.replicate)
    try:
        asked = plan.asked_by_a_run
        ids = [spec.episode_id for spec in asked]
        ends = await recorder.finished(ids)
        # All processes of earlier runs are dead, so the reply to a pending call can no longer be
        # recorded.
        await recorder.write_off_pending()
        ledger = await recorder.ledger()
    finally:
        await recorder.close()
    refuse_other_data(plan)
    final = {ended: kind for ended, (_, kind) in ends.items() if kind in FINAL_KINDS}
    done, failed, unpaid = Counter[str](), Counter[str](), Counter[str]()
    left = []
    ended = set(final)
    for spec, episode_id in zip(asked, ids, strict=True):
        model = spec.cell.model
        if episode_id in ends and episode_id not in final and episode_id in tried:
            if ends[episode_id][1] == UNPAID:
                unpaid[model] += 1
            else:
                failed[model] += 1
                ended.add(episode_id)
            continue
        if episode_id not in final:
            left.append(spec)
            continue
        (done if final[episode_id] == "none" else failed)[model] += 1
    paid = _paid(plan, asked, final, ledger)
    return ResumeState(tuple(left), done, failed, paid, unpaid, frozenset(ended))


def _paid(
    plan: Plan, asked: Sequence[EpisodeSpec], final: Collection[str], ledger: Mapping[str, float]
) -> dict[str, Paid]:
    """Return each model's payments. `final` are the ids of ended episodes."""
    partners = partner_costs_so_far(plan.sweep.out, asked)
    asks_of = unpriced_so_far(plan.sweep.out)
    free = free_models(plan)
    spent_usd, ended_usd, own_usd = (defaultdict[str, float](float) for _ in range(3))
    ended, own, unpriced = (Counter[str]() for _ in range(3))
    costs = parts_by_model(ledger, partners.spent_usd, asked)
    asks = parts_by_model(asks_of, partners.unpriced, asked)
    for (spec, model, usd), (_, _, n_unpriced) in zip(costs, asks, strict=True):
        spent_usd[model] += usd
        unpriced[model] += n_unpriced
        is_free = spec.cell.model in free and free.issuperset(spec.cell.others)
        if spec.episode_id not in final or not (is_free or spec.episode_id in ledger):
            continue
        # A part of unknown price tells nothing about the cost.
        if usd or not n_unpriced:
            ended[model] += 1
            ended_usd[model] += usd
        if model == spec.cell.model:
            own[model] += 1
            own_usd[model] += ledger.get(spec.episode_id, 0.0)
    return {
        model: Paid(
            spent_usd=usd,
            ended=ended[model],
            ended_usd=ended_usd[model],
            unpriced=unpriced[model],
            own=own[model],
            own_usd=own_usd[model],
        )
        for model, usd in spent_usd.items()
    }
