"""Models' parts in a cell: one part if its episodes call one model, otherwise one for each role."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mirror_ray.core.identity import Cell
from mirror_ray.records.usage import EpisodeUsage
from mirror_ray.sweep.calibration import calibrated, price
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.sampling import NO_SAMPLE, KindSample, Samples, kind_of


@dataclass(frozen=True, slots=True)
class ModelPart:
    """One model's part in a cell: its shares (0 to 1) of an episode's requests and of its cost.
    `sample` has the demands of its part of an episode."""

    cell: Cell
    role: str
    model: str
    of_asks: float = field(default=1.0, compare=False)
    of_cost: float = field(default=1.0, compare=False)
    sample: KindSample = field(default=NO_SAMPLE, compare=False)

    def used(self, episodes: Iterable[EpisodeUsage]) -> list[EpisodeUsage]:
        """Return the part's share of what the episodes have used."""
        if not self.cell.beside:
            return list(episodes)
        return [
            EpisodeUsage(
                round(one.asks * self.of_asks),
                one.ended,
                _part(one.tokens_in, self.of_asks),
                _part(one.tokens_out, self.of_asks),
                None if one.cost_usd is None else one.cost_usd * self.of_cost,
            )
            for one in episodes
        ]


def parts_of(plan: Plan, cell: Cell, samples: Samples) -> list[ModelPart]:
    """Return all parts of a cell, starting with its own model."""
    # A cell without episodes has no sample and needs none.
    sample = samples.by_kind.get(kind_of(cell), NO_SAMPLE)
    if not cell.beside:
        (own,) = cell.models
        return [ModelPart(cell, *own, sample=sample)]
    even = 1 / len(cell.models)
    shares = [sample.role_shares.get(role, even) for role, _ in cell.models]
    weights = [
        share * _usd_per_ask(plan, cell, name, sample)
        for share, (_, name) in zip(shares, cell.models, strict=True)
    ]
    whole = sum(weights)
    return [
        ModelPart(
            cell,
            role,
            name,
            share,
            weight / whole if whole else share,
            replace(sample, asks=sample.asks * share, max_asks=round(sample.max_asks * even)),
        )
        for (role, name), share, weight in zip(cell.models, shares, weights, strict=True)
    ]


def _usd_per_ask(plan: Plan, cell: Cell, name: str, sample: KindSample) -> float:
    model = plan.model_of(cell, name)
    if model.is_offline:
        return 0.0
    by_formula = calibrated(model, [], [])
    usd = price(model, by_formula.tokens_in(sample), by_formula.tokens_out(sample))
    return 0.0 if usd is None else usd.expected


def _part(tokens: int | None, share: float) -> int | None:
    return None if tokens is None else round(tokens * share)
