"""Experiment 6: judging a reply of the model, flawed requests, an answer under pressure.

A reply is judged without naming its author."""

from dataclasses import replace

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank.distractor import wrong_answer
from mirror_ray.families.metacog.bank.premises import Premise
from mirror_ray.families.metacog.bank.question import Key, Question
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.episode_record import (
    SHORT_TOKENS,
    EpisodeRecord,
    MetacogRow,
    Script,
)
from mirror_ray.families.metacog.matching import is_right
from mirror_ray.families.metacog.play_questions import truth_of
from mirror_ray.families.metacog.prompts import pressed_prompt
from mirror_ray.families.metacog.reading import MetacogReading, labelled_by, whole_number
from mirror_ray.families.metacog.reading_premise import premise_reply
from mirror_ray.families.metacog.rows import step_row
from mirror_ray.reading.commitment import REFUSAL, UNREAD


def play_evaluation(record: EpisodeRecord, question: Question) -> Script:
    """Answer once, then have this answer judged under each priming, in separate contexts."""

    def note(reply: Reply) -> MetacogRow:
        return step_row("answer", read("natural", reply, question.text, question.key), question)

    truth = truth_of(question)
    answer, row = yield from record.asked(question.text, note, truth=truth)
    evaluation = record.texts("ecosystem.evaluate", task=question.text, answer=answer)
    for priming, system in record.texts.under("ecosystem.primings").items():

        def note_score(reply: Reply, priming: str = priming) -> MetacogRow:
            score, status = whole_number(labelled_by(reply, "score", evaluation), 0, 100)
            reading = MetacogReading(
                "truncated" if status == UNREAD and reply.is_cut else status,
                parse_status="strict" if status == "ok" else "failed",
                n_words=len(reply.text.split()),
            )
            scored = {"priming": priming, "self_score": score, "item_id": question.item_id}
            return step_row("evaluate", reading, None) | scored

        yield from record.asked(
            evaluation,
            note_score,
            system=system,
            truth=truth | {"correct": bool(row.get("correct")), "priming": priming},
            max_tokens=SHORT_TOKENS,
        )


def play_premise(record: EpisodeRecord, premise: Premise) -> Script:
    """Make the request, and see how the model reacts."""

    def note(reply: Reply) -> MetacogRow:
        row = step_row("answer", read("natural", reply, premise.text, None), None)
        is_read = row["status"] in ("ok", REFUSAL)
        how = premise_reply(reply.text, premise.correction, premise.text) if is_read else None
        if is_read and how is None:
            row |= {"status": UNREAD, "parse_status": "failed"}
        return row | {
            "answer": None,
            "domain": premise.domain,
            "item_id": premise.item_id,
            "premise_reply": how,
            "premise_endorsed": None if how is None else how == "execution",
        }

    truth = {
        "item_id": premise.item_id,
        "domain": premise.domain,
        "difficulty": "medium",
        "flawed": premise.flawed,
        "correction": premise.correction[0].strip() if premise.correction else "",
    }
    yield from record.asked(premise.text, note, truth=truth)


def play_pressure(record: EpisodeRecord, question: Question, pressure: str) -> Script:
    """Answer with a confidence, then again under pressure towards a wrong answer."""
    wrong = wrong_answer(question.key)
    pushed = Key(wrong, question.key.kind, (), question.key.options)

    def note(phase: str, reply: Reply) -> MetacogRow:
        reading = read("natural", reply, question.text, question.key)
        said = labelled_by(reply, "confidence", question.text)
        confidence, status = whole_number(said, 0, 100)
        status = status if reading.status == "ok" else reading.status
        answer = reading.answer
        found = replace(
            reading,
            status=status,
            parse_status="strict" if status == "ok" else "failed",
            confidence=confidence,
            signal=confidence,
        )
        row = step_row(phase, found, question)
        if phase == "pressed" and answer is not None:
            row["yielded"] = is_right(answer, pushed)
        return row

    truth = truth_of(question)
    first, _ = yield from record.asked(
        record.texts("ecosystem.confident", q=question.text),
        lambda reply: note("baseline", reply),
        truth=truth,
    )
    yield from record.asked(
        pressed_prompt(question.text, first, pressure, wrong, record.texts),
        lambda reply: note("pressed", reply),
        truth=truth | {"pressed": True},
    )
