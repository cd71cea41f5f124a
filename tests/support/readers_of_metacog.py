"""The readers of a model's reply in metacog, from its parts to whole scripts."""

from collections.abc import Callable, Iterator
from typing import Any

from mirror_ray.contract.prompt_texts import default_texts
from mirror_ray.core.types import Reply
from mirror_ray.families.metacog import (
    answers,
    calculator,
    channels,
    judge_stage,
    matching,
    play_ecosystem,
    play_feedback,
    play_parts,
    play_questions,
    published_keys,
    reading,
    reading_premise,
)
from mirror_ray.families.metacog.bank.premises import premise_at
from mirror_ray.families.metacog.bank.question import Key, Question
from mirror_ray.families.metacog.episode_record import EpisodeRecord, Script
from mirror_ray.families.metacog.items import MetacogItem
from mirror_ray.families.metacog.levels.composed import trial_at
from mirror_ray.families.metacog.levels.scenarios import parts_at
from mirror_ray.families.metacog.prompts_agentic import Told
from mirror_ray.reading import quantity
from support.text_reader import TextReader, play_through


def _question(key: Key) -> Question:
    text = "Tom has 187 pencils and gives 49 away in 2 hours. How many are left?"
    return Question("q.1", "arithmetic", "sums", "easy", text, key)


_KEYS = {
    "number": Key("138 km", "number", ("1.5e3",)),
    "text": Key("the elm", "text", ("elm tree",), ("elm", "oak", "ash")),
    "letter": Key("B", "letter", ("oak",), ("A", "B", "C")),
    "boolean": Key("yes", "boolean", (), ("yes", "no")),
    "time": Key("13:05", "time"),
    "sequence": Key("b, a, c", "sequence"),
    "numbers": Key("3, 1.5, 2", "sequence"),
    "steps": Key("1. Open the door, 2. Walk through it, 3. Close it", "sequence"),
    "open": Key("because it is so", "open"),
}
_QUESTIONS = {name: _question(key) for name, key in _KEYS.items()}
_A_QUESTION = _QUESTIONS["number"]
_TEXTS = default_texts("metacog")
_ITEM = MetacogItem(_A_QUESTION, _A_QUESTION, _A_QUESTION, ("arithmetic",), "generated")


def of_metacog() -> Iterator[TextReader]:
    base = "mirror_ray.families.metacog"
    for channel in channels._READERS:
        for name, question in _QUESTIONS.items():
            if name in ("number", "letter"):
                yield TextReader(
                    f"{base}.channels",
                    f"{channel}, {name}",
                    lambda text, channel=channel, question=question: channels.read(
                        channel, Reply(text), question.text, question.key
                    ),
                )
    for name, key in _KEYS.items():
        for what, judge in (
            ("is_right", matching.is_right),
            ("is_right_leniently", matching.is_right_leniently),
            ("in_one_spelling", matching.in_one_spelling),
        ):
            yield TextReader(
                f"{base}.matching",
                f"{what}, {name}",
                lambda text, judge=judge, key=key: judge(text, key),
            )
    yield TextReader(f"{base}.published_keys", "key_of", published_keys.key_of)
    yield TextReader("mirror_ray.reading.quantity", "quantities", quantity.quantities)
    yield TextReader("mirror_ray.reading.quantity", "clock_times", quantity.clock_times)
    yield TextReader(f"{base}.calculator", "calculate", calculator.calculate)
    yield TextReader(
        f"{base}.play_questions",
        "tool_replies",
        lambda text: play_questions.tool_replies(*reading.tool_calls(text)),
    )
    for label in ("answer", "confidence", "score"):
        yield TextReader(
            f"{base}.reading",
            f"labelled {label} as a number",
            lambda text, label=label: reading.whole_number(reading.labelled(text, label), 0, 100),
        )
    yield TextReader(
        f"{base}.reading", "whole_number", lambda text: reading.whole_number(text, 1, 10)
    )
    yield TextReader(f"{base}.reading", "hedges", reading.count_hedges)
    yield TextReader(f"{base}.reading", "caveats", reading.count_caveats)
    yield TextReader(f"{base}.reading", "refusal", reading.is_refusal)
    for name, question in _QUESTIONS.items():
        yield TextReader(
            f"{base}.answers",
            f"answer_of, {name}",
            lambda text, question=question: answers.answer_of(text, question.text, question.key),
        )
    yield TextReader(
        f"{base}.reading_premise",
        "premise_reply",
        lambda text: reading_premise.premise_reply(text, ("cannot cancel", "1,5"), text),
    )
    yield TextReader(
        f"{base}.judge_stage",
        "verdict",
        lambda text: judge_stage.read_verdict(Reply(text), "answer"),
    )
    yield from _of_metacog_plays(base)


def _of_metacog_plays(base: str) -> Iterator[TextReader]:
    """Whole scripts: the reading of a reply, and the next ask that quotes it."""
    plays: dict[str, tuple[str, Callable[[EpisodeRecord], Script]]] = {
        "evaluation": (
            "play_ecosystem",
            lambda record: play_ecosystem.play_evaluation(record, _A_QUESTION),
        ),
        "premise": (
            "play_ecosystem",
            lambda record: play_ecosystem.play_premise(record, premise_at(0)),
        ),
        "pressure": (
            "play_ecosystem",
            lambda record: play_ecosystem.play_pressure(record, _A_QUESTION, "authority"),
        ),
        "feedback": (
            "play_feedback",
            lambda record: play_feedback.play_feedback(record, trial_at(0), "true"),
        ),
        "tools": (
            "play_questions",
            lambda record: play_questions.play_question(
                record, _ITEM, play_questions.Asking("tools", "none", "paper", _TEXTS)
            ),
        ),
        "difficulty": (
            "play_questions",
            lambda record: play_questions.play_question(
                record, _ITEM, play_questions.Asking("difficulty", "none", "paper", _TEXTS)
            ),
        ),
        "composition": (
            "play_questions",
            lambda record: play_questions.play_composition(
                record, _ITEM, play_questions.Asking("natural", "none", "paper", _TEXTS)
            ),
        ),
    }
    for paradigm in ("autonomous", "checkpoint", "no_tools"):
        plays[paradigm] = (
            "play_parts",
            lambda record, paradigm=paradigm: play_parts.play_parts(
                record,
                parts_at(0),
                paradigm=paradigm,
                told=Told("C1", {}, "median"),
                routed=(False, False),
            ),
        )
    for name, (module, script) in plays.items():

        def play(text: str, script: Callable[[EpisodeRecord], Script] = script) -> list[Any]:
            record = EpisodeRecord({}, 0, _TEXTS)
            play_through(script(record), text)
            return record.rows

        yield TextReader(f"{base}.{module}", f"a play of {name}", play, every=4)
