"""Experiment 4: a task, a failure, feedback on it, and then two more tasks.

The adaptation index compares the wagers on the two last tasks; tools, hedges etc. are recorded."""

from collections.abc import Generator

from mirror_ray.core.types import Ask, Reply, Turn
from mirror_ray.families.metacog.bank.feedback_trials import FeedbackTrial
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.episode_record import EpisodeRecord, MetacogRow, Script
from mirror_ray.families.metacog.play_questions import truth_of
from mirror_ray.families.metacog.prompts import conversation
from mirror_ray.families.metacog.reading import labelled_by, whole_number
from mirror_ray.families.metacog.rows import step_row


def play_feedback(record: EpisodeRecord, trial: FeedbackTrial, feedback: str) -> Script:
    """Make five requests: baseline, burn, retry after the feedback, related, unrelated. The
    feedback is "true" (about the burn task) or "false" (about the baseline)."""
    said: list[tuple[str, str]] = []
    texts = record.texts
    told = texts("feedback.task", question=trial.baseline.text)
    reply, first = yield from _asked(record, "baseline", trial.baseline, said, told=told, hint={})
    said.append((told, reply))

    told = texts("feedback.next_task", question=trial.burn.text)
    reply, burnt = yield from _asked(record, "burn", trial.burn, said, told=told, hint={})
    said.append((told, reply))

    is_true = feedback == "true"
    claim = trial.true_feedback if is_true else trial.false_feedback
    named = burnt if is_true else first
    correct = named.get("correct")
    # Feedback says "incorrect": that is true if the reply was wrong, which some keys cannot decide.
    record.fields["feedback_holds"] = None if correct is None else not correct
    told = texts("feedback.retry", claim=claim)
    hint = {"feedback": feedback}
    reply, _ = yield from _asked(record, "retry", trial.burn, said, told=told, hint=hint)
    said.append((told, reply))

    for phase, question in (("related", trial.related), ("unrelated", trial.unrelated)):
        told = texts("feedback.next_task", question=question.text)
        yield from _asked(record, phase, question, said, told=told, hint=hint)


def _asked(
    record: EpisodeRecord,
    phase: str,
    question: Question,
    said: list[tuple[str, str]],
    *,
    told: str,
    hint: MetacogRow,
) -> Generator[Ask, Turn, tuple[str, MetacogRow]]:
    def note(reply: Reply) -> MetacogRow:
        row = step_row(
            phase, read("tools", reply, question.text, question.key, prompt=told), question
        )
        approach, _ = whole_number(labelled_by(reply, "approach", told), 1, 5)
        flagged = approach == 5 or "flag_review" in (row["tools"] or ())
        bet, _ = whole_number(labelled_by(reply, "bet", told), 1, 10)
        return row | {"approach": approach, "flagged": flagged, "bet": bet}

    truth = truth_of(question) | {"phase": phase} | hint
    return (yield from record.asked(conversation(said, told, record.texts), note, truth=truth))
