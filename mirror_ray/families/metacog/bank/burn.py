"""Generated burn-and-test trials (experiment 4): a failure in a domain, feedback, tasks in two
domains.

A trial has the tasks and the claims of the feedback; the prompts have the words around them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from mirror_ray.families.metacog.bank.distractor import wrong_answer
from mirror_ray.families.metacog.bank.question import Question

CONTROLS: Mapping[str, str] = MappingProxyType(
    {
        "arithmetic": "spatial",
        "spatial": "arithmetic",
        "temporal": "linguistic",
        "linguistic": "arithmetic",
        "logical": "temporal",
        "social": "logical",
        "factual": "procedural",
        "procedural": "factual",
    }
)
"""Burnt domain → the unrelated one, as in the published trials."""

_ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "arithmetic": "A step was done in the head where it had to be written down.",
        "spatial": "The positions were not followed one move at a time.",
        "temporal": "The times were not carried over from one line to the next.",
        "linguistic": "The sentence was read for its gist and not for its structure.",
        "logical": "A statement was read backwards, or as saying more than it does.",
        "social": "What each person knows or wants was not kept apart from what is so.",
        "factual": "A fact was guessed where it had to be known.",
        "procedural": "The steps were not carried out one by one.",
    }
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial.

    Args:
        baseline: an easy task of the burnt domain.
        burn: a hard one, meant to fail.
        related, unrelated: medium tasks of the burnt and of the control domain.
        true_feedback: says that `burn` was answered wrongly, and what is right.
        false_feedback: says so of `baseline`, and names an answer that need not have been given.
    """

    item_id: str
    baseline: Question
    burn: Question
    related: Question
    unrelated: Question
    true_feedback: str
    false_feedback: str

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Trial":
        """The inverse of `dataclasses.asdict`."""
        tasks = ("baseline", "burn", "related", "unrelated")
        return cls(**{**facts, **{name: Question.from_facts(facts[name]) for name in tasks}})


def trial_of(
    item_id: str, *, baseline: Question, burn: Question, related: Question, unrelated: Question
) -> Trial:
    """The trial of four questions, with the claims of both kinds of feedback."""
    return Trial(
        item_id=item_id,
        baseline=baseline,
        burn=burn,
        related=related,
        unrelated=unrelated,
        true_feedback=(
            "Your answer to the last task was incorrect. "
            f"The right answer is {burn.key.answer}. {_ADVICE[burn.domain]}"
        ),
        false_feedback=(
            f"Your answer to the first task was incorrect: you gave {wrong_answer(baseline.key)}, "
            f"but the right answer is {baseline.key.answer}. {_ADVICE[burn.domain]}"
        ),
    )
