"""The item of an episode: what a listing gave it, or else the generated one of its scene seed.

Knows which bank an experiment draws from, and how items travel in `EpisodeSpec.given`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from mirror_ray.identity import EpisodeSpec
from mirror_ray.tasks.metacog.bank import question_at
from mirror_ray.tasks.metacog.bank_pairs import composed_at
from mirror_ray.tasks.metacog.bank_transfer import DISGUISES, transfer_at
from mirror_ray.tasks.metacog.question import DIFFICULTIES, Question
from mirror_ray.types import Facts

GENERATED = "generated"
_GENERATORS: Mapping[str, Callable[[int, int | None], Question]] = MappingProxyType(
    {"exp2": transfer_at, "exp3": composed_at}
)


@dataclass(frozen=True, slots=True)
class Item:
    """A question.

    Args:
        hard, easy: the pair of difficulty selection, one of them the question; elsewhere both.
        domains: one, or two of a composed task.
        bank: "generated", or a file's name.
        fields: columns of the episode that only this kind of item has.
    """

    question: Question
    hard: Question
    easy: Question
    domains: tuple[str, ...]
    bank: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def item_of(spec: EpisodeSpec, experiment: str, channel: str) -> Item:
    """The question of an episode; every model, channel and run meets the same.

    In difficulty selection a medium question is the harder one of its pair.
    """
    if "question" in spec.given:
        return _given_item(spec.given)
    at = _GENERATORS.get(experiment, question_at)
    question = at(spec.scene_seed, None)
    domains = tuple(question.domain.split(" × "))
    hard = easy = question
    if channel == "difficulty" and question.difficulty == DIFFICULTIES[0]:
        hard = at(spec.scene_seed, 2)
    elif channel == "difficulty":
        easy = at(spec.scene_seed, 0)
    return Item(
        question,
        hard,
        easy,
        domains,
        GENERATED,
        _fields(experiment, question, domains),
    )


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


def _given_item(given: Facts) -> Item:
    question = Question.from_facts(given["question"])
    return Item(
        question,
        hard=question,
        easy=question,
        domains=tuple(given["domains"]),
        bank=given["bank"],
        fields=given["fields"],
    )
