"""The rules of `until`: what a complete round decides about a question's models.

A model is played until all its comparisons are decided. Under "verdict" these are all pairs of
models; under "best_of" each model with the leader, which has the highest mean so far. Under
"half_width" each model is decided separately, by Wilson's interval of its share. A unit whose
episodes failed has no score and is left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any

from mirror_ray.records.decisions import StoppingDecision
from mirror_ray.stopping.outlook import outlook
from mirror_ray.stopping.shared_units import StoppingQuestion
from mirror_ray.sweep.plan import Until

Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % interval."""

    estimate: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


def wilson_interval(total: float, n: int) -> Share:
    """Return Wilson's interval (1927) of `n` ≥ 1 scores in [0, 1], given their sum `total`."""
    if n < 1:
        raise ValueError("a share of no units")
    share, weight = total / n, Z_95**2 / n
    middle = (share + weight / 2) / (1 + weight)
    half = Z_95 / (1 + weight) * sqrt(share * (1 - share) / n + weight / (4 * n))
    return Share(share, max(0.0, middle - half), min(1.0, middle + half))


STOPPING_ALPHA = 0.05
"""The level of all comparisons of a question together; each comparison has its Bonferroni share."""

Scores = Mapping[str, float]


def open_models(
    question: StoppingQuestion, until: Until, decisions: Sequence[StoppingDecision]
) -> tuple[str, ...]:
    """Return the models of a question that still have to be played."""
    if until.rule == "verdict":
        still_open = {model for pair in _open_pairs(question, decisions) for model in pair}
    else:
        decided = {one.model for one in decisions}
        still_open = {model for model in question.models if model not in decided}
        if until.rule == "best_of" and len(still_open) == 1:
            # Only the leader is left, because all others are worse.
            still_open = set()
    return tuple(model for model in question.models if model in still_open)


def decide(
    question: StoppingQuestion,
    until: Until,
    asked: Sequence[str],
    decisions: Sequence[StoppingDecision],
    *,
    number: int,
    scores: Scores,
) -> list[StoppingDecision]:
    """Return what the round decides beyond `decisions`; the last round decides everything open.

    Args:
        asked: the units of this and all rounds before it.
        decisions: on this question, also of later rounds.
        number: of the round, from 1.
        scores: episode id → score; one with an error has none.
    """
    means = {
        model: [_unit_mean(question, model, unit, scores) for unit in asked]
        for model in question.models
    }
    looks = {"verdict": _verdicts, "best_of": _worse_than_best, "half_width": _narrow}
    found = looks[until.rule](question, until, means, decisions)
    return [
        StoppingDecision(
            family=question.family,
            condition=question.condition,
            temperature=question.temperature,
            variant=question.variant,
            metric=question.metric,
            rule=until.rule,
            bound=until.bound,
            round=number,
            n_asked=len(asked),
            n_planned=len(question.units),
            **one,
        )
        for one in found
    ]


_Means = Mapping[str, Sequence[float | None]]
"""Each model's mean score on each played unit; None for units without one."""

_Found = Iterator[dict[str, Any]]
"""The fields that a rule adds to those that all rules share."""


def _verdicts(
    question: StoppingQuestion, until: Until, means: _Means, decisions: Sequence[StoppingDecision]
) -> _Found:
    every = len(question.models) * (len(question.models) - 1) // 2
    for model, against in _open_pairs(question, decisions):
        row, chances = _compared(question, means, model, against, every)
        verdict, probability = max(chances.items(), key=lambda one: one[1])
        if probability >= until.bound and _may_decide(question, until, means[model], row):
            yield {**row, "verdict": verdict, "probability": min(1.0, probability)}


def _worse_than_best(
    question: StoppingQuestion, until: Until, means: _Means, decisions: Sequence[StoppingDecision]
) -> _Found:
    decided = {one.model for one in decisions}
    models = [model for model in question.models if model not in decided]
    best = max(models, key=lambda model: sum(one or 0.0 for one in means[model]))
    is_last = len(means[best]) == len(question.units)
    for model in models:
        if model == best:
            continue
        row, chances = _compared(question, means, model, best, len(question.models) - 1)
        verdict = max(chances, key=lambda one: chances[one]) if is_last else "worse"
        if chances[verdict] >= until.bound and _may_decide(question, until, means[model], row):
            yield {**row, "verdict": verdict, "probability": min(1.0, chances[verdict])}


def _narrow(
    question: StoppingQuestion, until: Until, means: _Means, decisions: Sequence[StoppingDecision]
) -> _Found:
    decided = {one.model for one in decisions}
    for model in question.models:
        known = [one for one in means[model] if one is not None]
        is_last = len(means[model]) == len(question.units)
        is_narrow = (
            len(known) >= until.least_units
            and wilson_interval(sum(known), len(known)).half_width <= until.bound
        )
        if model not in decided and (is_narrow or is_last):
            verdict = "precise" if is_narrow else "not precise"
            yield {
                "model": model,
                "against": None,
                "n_scored": len(known),
                "verdict": verdict,
                "probability": None,
            }


def _compared(
    question: StoppingQuestion, means: _Means, model: str, against: str, n_comparisons: int
) -> tuple[dict[str, Any], dict[str, float]]:
    """Return the facts of a comparison, and the probability of each verdict for the whole
    design."""
    pairs = [
        (one, other)
        for one, other in zip(means[model], means[against], strict=True)
        if one is not None and other is not None
    ]
    only_model = sum(one > other for one, other in pairs)
    only_against = sum(one < other for one, other in pairs)
    alpha = STOPPING_ALPHA / n_comparisons
    left = len(question.units) - len(means[model])
    found = outlook(only_model, only_against, len(pairs), len(pairs) + left, alpha)
    facts = {
        "model": model,
        "against": against,
        "n_scored": len(pairs),
        "only_model": only_model,
        "only_against": only_against,
        "alpha": alpha,
        "n_comparisons": n_comparisons,
    }
    chances = {"better": found.first, "worse": found.second, "not told apart": found.neither}
    return facts, chances


def _may_decide(
    question: StoppingQuestion, until: Until, asked: Sequence[float | None], row: Mapping[str, Any]
) -> bool:
    return bool(row["n_scored"] >= until.least_units) or len(asked) == len(question.units)


def _open_pairs(
    question: StoppingQuestion, decisions: Sequence[StoppingDecision]
) -> Iterator[tuple[str, str]]:
    decided = {frozenset((one.model, one.against)) for one in decisions}
    for pair in combinations(question.models, 2):
        if frozenset(pair) not in decided:
            yield pair


def _unit_mean(question: StoppingQuestion, model: str, unit: str, scores: Scores) -> float | None:
    found = [
        scores[spec.episode_id] for spec in question.of(model, [unit]) if spec.episode_id in scores
    ]
    return sum(found) / len(found) if found else None
