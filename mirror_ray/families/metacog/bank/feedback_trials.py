"""Generated burn-and-test trials (exp4): a failure in a domain, feedback, tasks in two domains."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mirror_ray.families.metacog.bank.distractor import wrong_answer
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.bank.words import question_texts

_T = question_texts(__name__)

CONTROLS: Mapping[str, str] = _T["controls"]
"""The unrelated domain for each burnt one, as in the published trials."""


@dataclass(frozen=True, slots=True)
class FeedbackTrial:
    """One trial.

    Args:
        baseline: an easy task of the burnt domain.
        burn: a hard one, meant to fail.
        related, unrelated: medium tasks of the burnt and of the control domain.
        true_feedback: says that `burn` was answered wrongly, and what is right.
        false_feedback: says so about `baseline`, and names an answer that may not have been given.
    """

    item_id: str
    baseline: Question
    burn: Question
    related: Question
    unrelated: Question
    true_feedback: str
    false_feedback: str

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "FeedbackTrial":
        """Make the object from plain data, the inverse of `dataclasses.asdict`."""
        tasks = ("baseline", "burn", "related", "unrelated")
        return cls(**{**facts, **{name: Question.from_facts(facts[name]) for name in tasks}})


def feedback_trial(
    item_id: str, *, baseline: Question, burn: Question, related: Question, unrelated: Question
) -> FeedbackTrial:
    """Return the trial of four questions, with the claims of both kinds of feedback."""
    return FeedbackTrial(
        item_id=item_id,
        baseline=baseline,
        burn=burn,
        related=related,
        unrelated=unrelated,
        true_feedback=_T.say(
            "true_feedback", right=burn.key.answer, advice=_T["advice"][burn.domain]
        ),
        false_feedback=_T.say(
            "false_feedback",
            wrong=wrong_answer(baseline.key),
            right=baseline.key.answer,
            advice=_T["advice"][burn.domain],
        ),
    )
