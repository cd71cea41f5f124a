"""A sweep's requests, usage and cost: expected figures with an interval, and upper bounds.

There are three sources, best first: the run directory's episodes of the same cells; its episodes of
the model in other cells; sample scenes with the providers' formulas for pictures. Durations are in
`mirror_ray.sweep.duration`. An unknown price is None, never 0."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Literal, TypeAlias

import numpy as np

from mirror_ray.core.identity import Cell, seeded
from mirror_ray.providers.model import Tier
from mirror_ray.providers.price_tiers import worst_case_usd
from mirror_ray.records.usage import AskUsage, EpisodeUsage, Usage
from mirror_ray.sweep.calibration import Calibration, calibrated, price
from mirror_ray.sweep.lengths import PlayedLengths, extrapolate
from mirror_ray.sweep.parts import ModelPart, parts_of
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import FREE, ZERO_RANGE, Bill, Known, Range, exactly
from mirror_ray.sweep.sampling import NO_SAMPLE, KindSample, Samples, kind_of

ENOUGH_ENDS = 4
"""Ended episodes needed before their lengths replace the samples'."""

MOST_KIN = 200
"""Most episodes of the model's other cells that are used, because more would not narrow the
estimate."""

Basis: TypeAlias = Literal["episodes", "other episodes", "replies", "samples", "bounds"]
"""The source of lengths: this cell's episodes, or the model's in other cells; otherwise samples,
with tokens from replies so far or from formulas; otherwise only the family's bound."""


@dataclass(frozen=True, slots=True)
class CellEstimate:
    """One model's part in a cell, which is the whole cell unless its episodes call several models.

    Args:
        role: the model's role.
        model: the model that is asked.
        episodes: planned.
        ended: those of them that have a final end already.
        replies: of the model, recorded in this run directory.
        each: requests of one remaining episode.
        whole: all planned episodes, the ended ones as recorded.
        left: the remaining episodes.
        at_most: every episode at its last step, every reply re-asked and at its full length.
        spent_usd: known costs so far, including episodes in flight, but not those of the
            `n_unpriced` episodes.
        latency_s: seconds to a reply of the model, as measured; None before the first.
    """

    cell: Cell
    role: str
    model: str
    episodes: int
    ended: int
    replies: int
    basis: Basis
    each: Range
    whole: Bill
    left: Bill
    at_most: Bill
    spent_usd: float
    latency_s: Known
    n_unpriced: int = 0

    @property
    def is_first(self) -> bool:
        """Whether this is the part of the cell's own model; each cell has one such part."""
        return self.role == self.cell.models[0][0]


def estimate(plan: Plan, samples: Samples, usage: Usage) -> tuple[CellEstimate, ...]:
    """Return one estimate per part that a model has in a cell, in the plan's order."""
    planned: dict[Cell, int] = dict.fromkeys(plan.cells, 0)
    begun: dict[Cell, list[EpisodeUsage]] = {cell: [] for cell in plan.cells}
    cell_of: dict[str, Cell] = {}
    for spec in plan.episodes:
        planned[spec.cell] += 1
        # An id is a hash: computed only if there is something to look up.
        if usage.episodes and spec.episode_id in usage.episodes:
            begun[spec.cell].append(usage.episodes[spec.episode_id])
            cell_of[spec.episode_id] = spec.cell
    parts = [part for cell in plan.cells for part in parts_of(plan, cell, samples)]
    parts_of_model: dict[str, list[ModelPart]] = {}
    for part in parts:
        parts_of_model.setdefault(part.model, []).append(part)
    asks_of: dict[str, list[tuple[KindSample, AskUsage]]] = {name: [] for name in parts_of_model}
    for ask in usage.asks:
        if ask.episode_id in cell_of:
            cell = cell_of[ask.episode_id]
            name = ask.model if cell.beside else cell.model
            if name in asks_of:
                asks_of[name].append((samples.by_kind.get(kind_of(cell), NO_SAMPLE), ask))
    estimates: dict[ModelPart, CellEstimate] = {}
    for name, mine in parts_of_model.items():
        own = {part: part.used(begun[part.cell]) for part in mine}
        of_family: dict[str, list[EpisodeUsage]] = {}
        for part in mine:
            of_family.setdefault(part.cell.family, []).extend(own[part])
        everything = [one for kin in of_family.values() for one in kin]
        at_tiers: dict[Tier | None, Calibration] = {}
        for part in mine:
            model = plan.model_of(part.cell, name)
            if model.tier not in at_tiers:
                at_tiers[model.tier] = calibrated(model, asks_of[name], everything)
            estimates[part] = _estimated(
                part,
                planned[part.cell],
                own[part],
                of_family[part.cell.family],
                at_tiers[model.tier],
            )
    return tuple(estimates[part] for part in parts)


def _estimated(
    part: ModelPart,
    episodes: int,
    own: Sequence[EpisodeUsage],
    kin: Sequence[EpisodeUsage],
    calibration: Calibration,
) -> CellEstimate:
    cell, sample = part.cell, part.sample
    ended = [one for one in own if one.ended]
    n_left = episodes - len(ended)
    basis = _basis(own, kin, sample)
    left, each = FREE, ZERO_RANGE
    if n_left and basis in ("episodes", "other episodes"):
        played = _played(own if basis == "episodes" else kin[:: ceil(len(kin) / MOST_KIN)])
        rng = seeded("estimate", cell.cell_id)
        to_come = extrapolate(played, n_left, sample.max_asks, rng)
        each = to_come.asks * (1 / n_left)
        measured = dict(to_come.used) if basis == "episodes" else {}
        if not calibration.is_billed_alike:
            measured.pop("cost_usd", None)
        left = _bill(to_come.asks, sample, calibration, measured)
        left = replace(left, by_own_episodes=basis == "episodes")
    elif n_left:
        each = sample.asks
        left = _bill(sample.asks * n_left, sample, calibration, {})
    before = _recorded(ended, sample, calibration)
    return CellEstimate(
        cell=cell,
        role=part.role,
        model=part.model,
        episodes=episodes,
        ended=len(ended),
        replies=sum(one.asks for one in own),
        basis=basis,
        each=each,
        whole=before + left,
        left=left,
        at_most=before + _most(n_left, sample, calibration),
        spent_usd=sum(one.cost_usd or 0.0 for one in own),
        n_unpriced=sum(one.cost_usd is None for one in own),
        latency_s=calibration.latency_s,
    )


def _basis(own: Sequence[EpisodeUsage], kin: Sequence[EpisodeUsage], sample: KindSample) -> Basis:
    if sum(one.ended for one in own) >= ENOUGH_ENDS:
        return "episodes"
    if sum(one.ended for one in kin) >= ENOUGH_ENDS:
        return "other episodes"
    if kin:
        return "replies"
    return "samples" if sample.episodes else "bounds"


def _played(episodes: Sequence[EpisodeUsage]) -> PlayedLengths:
    begun = [one for one in episodes if one.asks]

    def column(figures: Sequence[float | None]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array([np.nan if one is None else one for one in figures], np.float64)

    return PlayedLengths(
        asks=column([one.asks for one in begun]),
        ended=np.array([one.ended for one in begun]),
        used={
            "tokens_in": column([one.tokens_in for one in begun]),
            "tokens_out": column([one.tokens_out for one in begun]),
            "cost_usd": column([one.cost_usd for one in begun]),
        },
    )


def _bill(
    calls: Range, sample: KindSample, calibration: Calibration, measured: Mapping[str, Range]
) -> Bill:
    """Return the usage of `calls` requests; measured figures take precedence over estimates."""
    model = calibration.model
    if model.is_offline:
        return Bill(calls, None, None, None, exactly(0.0))
    tokens_in = measured.get("tokens_in", calls * calibration.tokens_in(sample))
    tokens_out = measured.get("tokens_out", calls * calibration.tokens_out(sample))
    cost_usd = measured.get("cost_usd", price(model, tokens_in, tokens_out))
    if cost_usd is None and calibration.cost_per_ask_usd is not None:
        cost_usd = calls * calibration.cost_per_ask_usd
    return Bill(calls, tokens_in, calls * calibration.image(sample), tokens_out, cost_usd)


def _recorded(ended: Sequence[EpisodeUsage], sample: KindSample, calibration: Calibration) -> Bill:
    """Return the usage of ended episodes, estimated where their replies did not report it."""
    if not ended:
        return FREE
    known = {
        name: exactly(sum(figures))
        for name in ("tokens_in", "tokens_out", "cost_usd")
        if None not in (figures := [getattr(one, name) for one in ended])
    }
    bill = _bill(exactly(sum(one.asks for one in ended)), sample, calibration, known)
    return replace(bill, by_own_episodes="cost_usd" in known)


def _most(n_episodes: int, sample: KindSample, calibration: Calibration) -> Bill:
    if n_episodes == 0:
        return FREE
    calls = exactly(n_episodes * sample.max_asks)
    model = calibration.model
    if model.is_offline:
        return Bill(calls, None, None, None, exactly(0.0))
    tokens_in = calls * calibration.tokens_in_at_most(sample)
    tokens_out = calls * float(calibration.reply_bound(sample))
    image = calls * calibration.image(sample).high
    most_usd = worst_case_usd(model, tokens_in.high, tokens_out.high)
    cost_usd = None if most_usd is None else exactly(most_usd)
    return Bill(calls, tokens_in, image, tokens_out, cost_usd)


def by_model(cells: Sequence[CellEstimate]) -> dict[str, tuple[CellEstimate, ...]]:
    """Return each model's cells."""
    grouped: dict[str, list[CellEstimate]] = {}
    for one in cells:
        grouped.setdefault(one.model, []).append(one)
    return {model: tuple(mine) for model, mine in grouped.items()}


def unpriced_models(cells: Sequence[CellEstimate]) -> list[str]:
    """Return the models whose cost is unknown."""
    return list(dict.fromkeys(one.model for one in cells if one.whole.cost_usd is None))


def spent(cells: Sequence[CellEstimate]) -> tuple[float | None, int]:
    """Return the known spending (None: nothing known), and how many episodes lack a cost."""
    usd, unpriced = sum(one.spent_usd for one in cells), sum(one.n_unpriced for one in cells)
    return (None if unpriced and not usd else usd), unpriced
