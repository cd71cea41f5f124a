"""Predicts what a rule of `until` will do, and how much of a plan's cost it will leave.

The differences between models are unknown before the run. So boards are simulated with accuracies
anywhere in `ABILITIES`, and the interval is over the boards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.stopping.boards import answers, by_best, by_verdict, by_width, looks
from mirror_ray.stopping.shared_units import StoppingQuestion, questions_of
from mirror_ray.sweep.estimate import CellEstimate
from mirror_ray.sweep.plan import Plan, Until
from mirror_ray.sweep.ranges import FREE, Bill, Range, exactly

UNDECLARED = Until("verdict", 0.99, 5, 5)
"""The rule that is forecast for a sweep without `until`."""

ABILITIES = (0.2, 0.95)
_MOST_MODELS, _MOST_UNITS, _MOST_LOOKS = 12, 200, 8
_COMPARISONS = 400
"""Simulated comparisons, over all boards of a size; one takes about a millisecond per look."""
_MOST_BOARDS = 100


@dataclass(frozen=True, slots=True)
class StoppingForecast:
    """What is played under a rule, in shares of the whole plan's cost.

    Args:
        is_declared: whether the sweep has the rule, rather than could have it.
        by_model: model → its share.
        share: of all models together.
        rounds: number of rounds, one after another; each waits for its slowest reply.
    """

    until: Until
    is_declared: bool
    by_model: Mapping[str, Range]
    share: Range
    rounds: Range

    @property
    def key(self) -> str:
        """The rule, written as in a sweep or an override."""
        return f"until.{self.until.rule}={self.until.bound:g}"


def stopping_forecast(plan: Plan, cells: Sequence[CellEstimate]) -> StoppingForecast | None:
    """Return the forecast of the sweep's own rule, or of `UNDECLARED`. Return None if no cost of
    `cells` is known, if nothing could be decided, or if episodes have ended."""
    left: dict[Cell, Bill] = {}
    for one in cells:
        left[one.cell] = left.get(one.cell, FREE) + one.left
    costs = {cell: bill.cost_usd for cell, bill in left.items()}
    if any(one.ended for one in cells) or not any(usd and usd.expected for usd in costs.values()):
        return None
    until = plan.sweep.until or UNDECLARED
    shares: dict[Cell, Range] = {}
    most_rounds = exactly(0.0)
    found: dict[tuple[int, int], Range] = {}
    for question in questions_of(_decidable(plan)):
        size = len(question.models), len(question.units)
        if size[0] < 2 and until.rule != "half_width":
            continue
        if size not in found:
            found[size] = share_asked(until, *size)
        shares |= dict.fromkeys(_cells(question), found[size])
        rounds = found[size] * float(ceil(size[1] / until.round_units))
        most_rounds = max(most_rounds, rounds, key=lambda one: one.expected)
    if not shares:
        return None
    by_model: dict[str, list[tuple[float, Range]]] = {}
    for cell, usd in costs.items():
        if usd is not None and usd.expected:
            weighted = usd.expected, shares.get(cell, exactly(1.0))
            by_model.setdefault(cell.model, []).append(weighted)
    return StoppingForecast(
        until,
        plan.sweep.until is not None,
        {model: _mean(weighted) for model, weighted in by_model.items()},
        _mean([one for weighted in by_model.values() for one in weighted]),
        most_rounds,
    )


def share_asked(until: Until, n_models: int, n_units: int) -> Range:
    """Return the share of a question's episodes that is played: the mean over simulated boards, and
    the bound that nine of ten boards stay below.

    Larger questions are simulated with 12 models and 200 units, and at most eight looks: more
    models save less, more units and looks save more."""
    models = 1 if until.rule == "half_width" else min(n_models, _MOST_MODELS)
    units = min(n_units, _MOST_UNITS)
    generator = np.random.default_rng([models, units])
    boards = max(5, min(_MOST_BOARDS, _COMPARISONS // max(1, models * (models - 1) // 2)))
    right = answers(generator, generator.uniform(*ABILITIES, (boards, models)), boards, units)
    at = looks(until, units)
    at = tuple(dict.fromkeys(at[round(one)] for one in np.linspace(0, len(at) - 1, _MOST_LOOKS)))
    match until.rule:
        case "verdict":
            asked = by_verdict(right, until.bound, at)[0]
        case "best_of":
            asked = by_best(right, until.bound, at)[0]
        case "half_width":
            asked = by_width(right, until.bound, at)
    shares = asked.mean(axis=1) / units
    low, high = np.quantile(shares, (0.05, 0.95))
    mean = float(shares.mean())
    return Range(min(float(low), mean), mean, max(float(high), mean))


def _decidable(plan: Plan) -> list[EpisodeSpec]:
    after: dict[Cell, bool] = {}
    for cell in plan.cells:
        family = FAMILIES[cell.family]
        listing = family.listing_of(cell)
        after[cell] = family.scoring is None or bool(listing and listing.after)
    return [spec for spec in plan.episodes if not after[spec.cell]]


def _cells(question: StoppingQuestion) -> set[Cell]:
    return {spec.cell for specs in question.episodes.values() for spec in specs}


def _mean(weighted: Sequence[tuple[float, Range]]) -> Range:
    whole = sum(weight for weight, _ in weighted)
    low, expected, high = (
        sum(weight * getattr(share, end) for weight, share in weighted) / whole
        for end in ("low", "expected", "high")
    )
    return Range(low, expected, high)


def until_in_words(plan: Plan) -> list[str]:
    """Return lines on the rule, its questions, and the most that is played; none without a rule."""
    until = plan.sweep.until
    if until is None:
        return []
    sizes = Counter((len(one.models), len(one.units)) for one in questions_of(plan.episodes))
    lines = [f"Until: {until.in_words}."]
    for (n_models, n_units), n_questions in sorted(sizes.items()):
        lines.append(
            f"Decided: {n_questions:,} questions (family, condition, temperature, variant), each"
            f" with {_compared(until.rule, n_models)} on {n_units:,} planned units."
        )
    return [*lines, "Figures are those of the whole plan, the most that is asked."]


def _compared(rule: str, n_models: int) -> str:
    match rule:
        case "verdict":
            return f"{n_models * (n_models - 1) // 2:,} comparisons of {n_models:,} models"
        case "best_of":
            return f"{n_models:,} models besides the best of them"
        case _:
            return f"{n_models:,} cells"
