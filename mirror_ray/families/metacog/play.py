"""Plays an episode of metacog (arXiv 2604.19809, experiments 1–6 and 9), or a staircase.

`Ask.truth`, only for the oracle and agents with a planted signature, has the keys ``item_id``,
``domain``, ``difficulty``, ``answer``, ``wrong`` and ``run``, and those that a script adds.

[Our decision] An unreadable reply is not requested again: it is NULL with its status. An API
failure ends the episode with an error."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mirror_ray.contract.prompt_texts import texts_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Play
from mirror_ray.families.metacog.bank.pairs import Parts
from mirror_ray.families.metacog.bank.premises import Premise, premise_at
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.conditions import (
    CONDITIONS,
    PRESSURES,
    WITH_CHANNEL,
    experiment_of,
)
from mirror_ray.families.metacog.episode_record import EpisodeRecord, ReplyLostError, Script
from mirror_ray.families.metacog.items import GENERATED, feedback_trial_of, item_of, levels_of
from mirror_ray.families.metacog.judge_prompt import Judged
from mirror_ray.families.metacog.judge_stage import JUDGE, play_judgement
from mirror_ray.families.metacog.levels import scenarios
from mirror_ray.families.metacog.levels.staircase import TRIALS
from mirror_ray.families.metacog.play_ecosystem import play_evaluation, play_premise, play_pressure
from mirror_ray.families.metacog.play_feedback import play_feedback
from mirror_ray.families.metacog.play_parts import play_parts
from mirror_ray.families.metacog.play_questions import Asking, play_composition, play_question
from mirror_ray.families.metacog.play_staircase import play_staircase
from mirror_ray.families.metacog.prompts_agentic import Told
from mirror_ray.families.metacog.rows import question_fields
from mirror_ray.families.metacog.settings import setting
from mirror_ray.families.metacog.weak_domains import reversed_scores, weak_domains


def max_asks(spec: EpisodeSpec) -> int:
    """Return the most requests an episode can take."""
    experiment = experiment_of(spec.cell)
    if experiment == "staircase":
        return TRIALS
    asks = {"exp3": 2, "exp4": 5, "exp6a": 5, "exp6c": 2}.get(experiment, 1)
    # One more, if a model waits for its tools' results.
    return asks + (experiment in WITH_CHANNEL and setting(spec.cell, "channel") == "tools")


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: the item determines all randomness, so that
    every model gets the same."""
    fields = {"experiment": experiment_of(spec.cell), "bank": GENERATED}
    record = EpisodeRecord(fields, spec.run, texts_of(spec.cell))
    script = _script(spec, record)
    try:
        yield from script
    except ReplyLostError as lost:
        return record.outcome(lost.kind)
    return record.outcome()


def _script(spec: EpisodeSpec, record: EpisodeRecord) -> Script:
    experiment = experiment_of(spec.cell)
    if experiment in WITH_CHANNEL:
        return _on_a_question(spec, record, experiment)
    if experiment in _OF_THEIR_OWN:
        return _OF_THEIR_OWN[experiment](spec, record)
    question = item_of(spec, experiment, "natural").question
    record.fields |= question_fields(question) | _bank(spec)
    if experiment == "exp6a":
        return play_evaluation(record, question)
    pressure = PRESSURES[spec.scene_seed % len(PRESSURES)]
    record.fields["pressure"] = pressure
    return play_pressure(record, question, pressure)


def _on_a_question(spec: EpisodeSpec, record: EpisodeRecord, experiment: str) -> Script:
    channel = setting(spec.cell, "channel")
    item = item_of(spec, experiment, channel)
    record.fields |= {**question_fields(item.question), "channel": channel, "bank": item.bank}
    record.fields |= item.fields
    wording = spec.cell.variant
    if experiment == "exp3":
        return play_composition(record, item, Asking(channel, "none", wording, record.texts))
    attack = setting(spec.cell, "attack") if experiment == "exp5" else "none"
    if experiment == "exp5":
        record.fields["attack"] = attack
    return play_question(record, item, Asking(channel, attack, wording, record.texts))


def _on_a_staircase(spec: EpisodeSpec, record: EpisodeRecord) -> Script:
    return play_staircase(record, spec.scene_seed)


def _on_a_trial(spec: EpisodeSpec, record: EpisodeRecord) -> Script:
    trial = feedback_trial_of(spec)
    feedback = setting(spec.cell, "feedback")
    record.fields |= question_fields(trial.burn) | _bank(spec)
    record.fields |= {
        "item_id": trial.item_id,
        "feedback": feedback,
        "control_domain": trial.unrelated.domain,
    }
    return play_feedback(record, trial, feedback)


def _on_a_premise(spec: EpisodeSpec, record: EpisodeRecord) -> Script:
    given = spec.given.get("premise")
    premise = Premise(**given) if given else premise_at(spec.scene_seed)
    record.fields |= _bank(spec) | {
        "item_id": premise.item_id,
        "domain": premise.domain,
        "question": premise.text,
        "answer_kind": "open",
        "premise_flawed": premise.flawed,
        "flaw": premise.flaw,
    }
    return play_premise(record, premise)


def _on_parts(spec: EpisodeSpec, record: EpisodeRecord) -> Script:
    information = CONDITIONS[spec.cell.condition].information or ""
    paradigm, task_set = setting(spec.cell, "paradigm"), setting(spec.cell, "task_set")
    accuracy, weak = spec.given.get("accuracy", {}), tuple(spec.given.get("weak", ()))
    parts = _parts(spec, task_set, weak)
    route, scores = setting(spec.cell, "route"), setting(spec.cell, "scores")
    taken_over = weak_domains(accuracy, route) if accuracy else weak
    is_routed = [
        information == "C4" and part.domain in taken_over for part in (parts.one, parts.two)
    ]
    routed = is_routed[0], is_routed[1]
    record.fields |= _bank(spec) | {
        "item_id": parts.item_id,
        "information": information,
        "paradigm": paradigm,
        "task_set": task_set,
        "route": route if information in ("C3", "C4") else None,
        "scores": scores if information in ("C2", "C3") else None,
        "prior_accuracy": [accuracy.get(domain) for domain in DOMAINS] if accuracy else None,
    }
    for side, part, taken in zip(("a", "b"), (parts.one, parts.two), routed, strict=True):
        record.fields |= {
            f"domain_{side}": part.domain,
            f"subcategory_{side}": part.subcategory,
            f"difficulty_{side}": part.difficulty,
            f"truth_{side}": part.key.answer,
            f"prior_accuracy_{side}": accuracy.get(part.domain),
            f"routed_{side}": taken,
        }
    told = Told(information, reversed_scores(accuracy) if scores == "false" else accuracy, route)
    return play_parts(record, parts, paradigm=paradigm, told=told, routed=routed)


def _judgement(spec: EpisodeSpec, record: EpisodeRecord) -> Script:
    return play_judgement(record, Judged(**spec.given))


def _parts(spec: EpisodeSpec, task_set: str, weak: tuple[str, ...]) -> Parts:
    if "parts" in spec.given:
        return Parts.from_facts(spec.given["parts"])
    strong = tuple(domain for domain in DOMAINS if domain not in weak)
    if task_set == "tailored":
        return scenarios.tailored_parts_at(spec.scene_seed, strong, weak, levels_of(spec))
    return scenarios.parts_at(spec.scene_seed, levels_of(spec))


def _bank(spec: EpisodeSpec) -> dict[str, Any]:
    return {"bank": spec.given.get("bank", GENERATED)}


_OF_THEIR_OWN: Mapping[str, Callable[[EpisodeSpec, EpisodeRecord], Script]] = {
    "staircase": _on_a_staircase,
    "exp4": _on_a_trial,
    "exp6b": _on_a_premise,
    "exp9": _on_parts,
    JUDGE: _judgement,
}
"""Experiments that are not about a single question."""
