"""The item of an episode: the one that a listing gave it, or else that of its scene seed.

Each experiment draws from its own range of the generated bank."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Facts
from mirror_ray.families.metacog.bank import feedback_trials, pairs
from mirror_ray.families.metacog.bank.question import DIFFICULTIES, DOMAINS, Question
from mirror_ray.families.metacog.bank.transfer import DISGUISES, transfer_at
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.levels import bank, composed, scenarios
from mirror_ray.families.metacog.settings import IN_TURN, STAIRCASE, setting

GENERATED = "generated"
"""The name of the generated bank."""
_APART = 3
"""Levels between a question and its partner in difficulty selection."""


@dataclass(frozen=True, slots=True)
class MetacogItem:
    """A question.

    Args:
        hard, easy: the pair of difficulty selection, one of them the question; otherwise both are.
        domains: one, or two of a composed task.
        bank: which generated bank, or a file's name.
        fields: columns of the episode that only this kind of item has.
    """

    question: Question
    hard: Question
    easy: Question
    domains: tuple[str, ...]
    bank: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def most_seeds(cell: Cell, experiment: str) -> float:
    """Return how many generated items an experiment has without repetitions."""
    in_turn = setting(cell, "level") == IN_TURN
    return {
        "exp2": inf,
        "exp6b": inf,
        "exp3": composed.MOST_JOINED,
        "exp4": composed.MOST_TRIALS,
        "exp9": scenarios.MOST_FIXED,
        "staircase": bank.MOST_STAIRCASES,
    }.get(experiment, bank.MOST_SEEDS if in_turn else bank.MOST_AT_A_LEVEL)


def domains_at(experiment: str, seed: int) -> tuple[str, ...]:
    """Return the domains of an experiment's generated item; two for a composed task."""
    if experiment in ("exp3", "exp9"):
        return pairs.PAIRS[seed % len(pairs.PAIRS)]
    return (DOMAINS[seed % len(DOMAINS)],)


def levels_of(spec: EpisodeSpec) -> Mapping[str, int] | None:
    """Return the level of each domain if the episode's levels are set; None: difficulties take
    turns."""
    if "levels" in spec.given:
        return dict(spec.given["levels"])
    level = setting(spec.cell, "level")
    return None if level in (IN_TURN, STAIRCASE) else dict.fromkeys(DOMAINS, int(level))


def item_of(spec: EpisodeSpec, experiment: str, channel: str) -> MetacogItem:
    """Return the question of an episode, which is the same for every model unless at its own
    levels.

    In difficulty selection, a question's partner is easier; an easy question's partner is harder.
    """
    if "question" in spec.given:
        return _given_item(spec.given)
    question, partner = _question_and_partner(spec, experiment, channel)
    domains = tuple(question.domain.split(" × "))
    is_easy = channel == "difficulty" and question.difficulty == DIFFICULTIES[0]
    hard, easy = (partner, question) if is_easy else (question, partner)
    return MetacogItem(
        question, hard, easy, domains, GENERATED, _fields(experiment, question, domains)
    )


def _question_and_partner(
    spec: EpisodeSpec, experiment: str, channel: str
) -> tuple[Question, Question]:
    """Return the question and, in difficulty selection, its partner, otherwise the question
    again."""
    seed, levels = spec.scene_seed, levels_of(spec)
    if experiment == "exp2":
        question = transfer_at(seed)
        if channel != "difficulty":
            return question, question
        return question, transfer_at(seed, 2 if question.difficulty == DIFFICULTIES[0] else 0)
    if experiment == "exp3":
        question = composed.joined_at(seed, levels)
        if channel != "difficulty":
            return question, question
        apart = _partner_level(question)
        return question, composed.joined_at(seed, dict.fromkeys(DOMAINS, apart))
    level = None if levels is None else levels[domains_at(experiment, seed)[0]]
    question = bank.question_at(experiment, seed, level)
    if channel != "difficulty":
        return question, question
    return question, bank.question_at(experiment, seed, _partner_level(question))


def _partner_level(question: Question) -> int:
    level = question.level or 1
    if question.difficulty == DIFFICULTIES[0]:
        return min(LEVELS, level + 2 * _APART)
    return max(1, level - 2 * _APART)


def feedback_trial_of(spec: EpisodeSpec) -> feedback_trials.FeedbackTrial:
    """Return experiment 4's trial."""
    given = spec.given.get("trial")
    if given:
        return feedback_trials.FeedbackTrial.from_facts(given)
    return composed.trial_at(spec.scene_seed)


def _fields(experiment: str, question: Question, domains: tuple[str, ...]) -> dict[str, Any]:
    if experiment == "exp2":
        disguise = DISGUISES[question.domain]
        return {
            "surface_domain": disguise.surface_domain,
            "hidden_dependency": disguise.hidden_dependency,
        }
    if experiment == "exp3":
        return {"domain_a": domains[0], "domain_b": domains[1]}
    return {}


def _given_item(given: Facts) -> MetacogItem:
    question = Question.from_facts(given["question"])
    return MetacogItem(
        question,
        hard=question,
        easy=question,
        domains=tuple(given["domains"]),
        bank=given["bank"],
        fields=given["fields"],
    )
