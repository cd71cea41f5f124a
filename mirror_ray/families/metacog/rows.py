"""metacog's columns of step and episode rows. NULL means not answered, not asked or not
decidable."""

from typing import Any

from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.matching import in_one_spelling, is_right, is_right_leniently
from mirror_ray.families.metacog.reading import MetacogReading


def step_row(phase: str, reading: MetacogReading, question: Question | None) -> dict[str, Any]:
    """Return the columns of one request whose reply was read. The reply answers `question`; None if
    no question is asked."""
    answer = reading.answer
    row: dict[str, Any] = {
        "phase": phase,
        "parse_status": reading.parse_status,
        "parse_fixes": list(reading.fixes),
        "status": reading.status,
        "answer": answer,
        "bet": reading.bet,
        "skipped": reading.skipped,
        "choice": reading.choice,
        "tools": None if reading.tools is None else list(reading.tools),
        "tool_results": None if reading.tool_results is None else list(reading.tool_results),
        "confidence": reading.confidence,
        "self_prediction": reading.self_prediction,
        "signal": reading.signal,
        "n_hedges": reading.n_hedges,
        "n_caveats": reading.n_caveats,
        "n_words": reading.n_words,
    }
    if question is not None:
        row |= {
            "domain": question.domain,
            "item_id": question.item_id,
            "truth": question.key.answer,
            "key_kind": question.key.kind,
            "level": question.level,
        }
        if answer is not None:
            row["answer_plain"] = in_one_spelling(answer, question.key)
            row["correct"] = is_right(answer, question.key)
            row["correct_lenient"] = is_right_leniently(answer, question.key)
    return row


def question_fields(question: Question) -> dict[str, Any]:
    """Return the columns of an episode about one question."""
    return {
        "item_id": question.item_id,
        "domain": question.domain,
        "subcategory": question.subcategory,
        "difficulty": question.difficulty,
        "question": question.text,
        "truth": question.key.answer,
        "answer_kind": question.key.kind,
    }
