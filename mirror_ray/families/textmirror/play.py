"""Plays an episode of textmirror: one request, and the columns from its reply.

The content of an episode is in its `given`. An unreadable reply is not requested again, because the
source counts it. [Our decision] A reply that the length limit cut off still lists prompts and has a
first integer; as a story, a sentence, a letter or a conclusion it is unreadable."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.prompt_texts import texts_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Outcome, Play, Reply
from mirror_ray.families.textmirror import conditions as named
from mirror_ray.families.textmirror import prompts, reply
from mirror_ray.families.textmirror.attribution import read_attribution
from mirror_ray.families.textmirror.explanation import REASONS, read_reason
from mirror_ray.families.textmirror.listings import n_sentences_of
from mirror_ray.families.textmirror.positions import own_first
from mirror_ray.families.textmirror.read import Read
from mirror_ray.families.textmirror.sentences import count_words, sentences_of

SHORT_TOKENS, STORY_TOKENS, LIST_TOKENS = 1024, 2048, 4096


@dataclass(frozen=True, slots=True)
class _Question:
    """The request of a stage: the user message, the limit of the reply's length, and how to read
    it."""

    user: str
    max_tokens: int
    read: Callable[[Reply], tuple[Read[Any], dict[str, Any]]]
    fields: dict[str, Any] = field(default_factory=dict)


def max_asks(spec: EpisodeSpec) -> int:
    """Return 1."""
    return 1


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: all randomness belongs to the scene."""
    question = _QUESTIONS[spec.cell.condition](spec)
    turn = yield Ask(SUBJECT, 1, "", question.user, max_tokens=question.max_tokens)
    known = {"n_sentences": n_sentences_of(spec.cell), **spec.given, **question.fields}
    if turn.reply.error_kind != "none":
        unread: Facts = {"parse_status": None, "parse_fixes": [], "superseded": False}
        return Outcome(False, False, turn.reply.error_kind, known, (unread,))
    read, found = question.read(turn.reply)
    step: Facts = {
        "parse_status": read.status,
        "parse_fixes": list(read.fixes),
        "superseded": False,
        "parse_problem": read.problem,
    }
    return Outcome(True, False, "none", {**known, **found}, (step,))


def _seeds(spec: EpisodeSpec) -> _Question:
    def read(said: Reply) -> tuple[Read[Any], dict[str, Any]]:
        found = reply.heard(said, reply.read_prompts)
        return found, {"prompts": None if found.value is None else list(found.value)}

    return _Question(prompts.seeds_prompt(texts_of(spec.cell)), LIST_TOKENS, read)


def _story(spec: EpisodeSpec) -> _Question:
    wanted = n_sentences_of(spec.cell)

    def read(said: Reply) -> tuple[Read[Any], dict[str, Any]]:
        found = reply.heard(said, reply.read_text)
        sentences = [] if found.value is None else list(sentences_of(found.value))
        return found, {"sentences": sentences, "kept": len(sentences) == wanted}

    user = prompts.story_prompt(spec.given["seed_text"], wanted, texts_of(spec.cell))
    return _Question(user, STORY_TOKENS, read, {"author": spec.cell.model})


def _revision(spec: EpisodeSpec) -> _Question:
    sentences, position = spec.given["sentences"], spec.given["position"]
    original = sentences[position - 1]

    def read(said: Reply) -> tuple[Read[Any], dict[str, Any]]:
        found = reply.heard(said, reply.read_sentence)
        revised = found.value
        words = None if revised is None else count_words(revised)
        return found, {"revised_sentence": revised, "revised_words": words}

    fields = {
        "editor": spec.cell.model,
        "original_sentence": original,
        "original_words": count_words(original),
    }
    user = prompts.revision_prompt(sentences, position, texts_of(spec.cell))
    return _Question(user, SHORT_TOKENS, read, fields)


def _recognition(spec: EpisodeSpec) -> _Question:
    variant, position = spec.cell.variant, spec.given["position"]
    changed = variant != named.UNCHANGED
    shown = list(spec.given["sentences"])
    if changed:
        shown[position - 1] = spec.given["revised_sentence"]
    asked = prompts.recognition_prompt(variant, shown, texts_of(spec.cell))
    allowed = range(0 if variant == named.ALLOW_ZERO else 1, len(shown) + 1)

    def read(said: Reply) -> tuple[Read[Any], dict[str, Any]]:
        if variant == named.FULL_SENTENCE:
            found = reply.heard(said, lambda text: reply.read_quoted_sentence(text, shown))
        else:
            found = reply.heard(said, lambda text: reply.read_number(text, allowed), asked)
        return found, {
            "predicted": found.value,
            "valid": found.value is not None and found.value in allowed,
            # The source counts a reply without a number as wrong.
            "correct": found.value == position if changed else None,
        }

    fields = {"reader": spec.cell.model, "sentences": shown, **(_words(spec) if changed else {})}
    long = SHORT_TOKENS if variant != named.CHAIN_OF_THOUGHT else STORY_TOKENS
    return _Question(asked, long, read, fields)


def _explanation(spec: EpisodeSpec) -> _Question:
    given = spec.given
    user = prompts.explanation_prompt(
        given["sentences"], given["answered"], REASONS, texts_of(spec.cell)
    )

    def read(said: Reply) -> tuple[Read[Any], dict[str, Any]]:
        found = reply.heard(said, read_reason, user)
        return found, {"reason": found.value, "valid": found.value is not None}

    return _Question(user, SHORT_TOKENS, read)


def _authorship(spec: EpisodeSpec) -> _Question:
    own, other = spec.given["original_sentence"], spec.given["revised_sentence"]
    right = "A" if own_first(spec.scene_seed, spec.run, spec.given["editor"]) else "B"
    first, second = (own, other) if right == "A" else (other, own)

    asked = prompts.authorship_prompt(first, second, texts_of(spec.cell))

    def read(said: Reply) -> tuple[Read[Any], dict[str, Any]]:
        found = reply.heard(said, reply.read_letter, asked)
        number = {"A": 1, "B": 2}.get(found.value or "")
        return found, {
            "predicted": number,
            "valid": number is not None,
            "correct": found.value == right,
        }

    fields = {"reader": spec.cell.model, "sentences": [first, second], **_words(spec)}
    fields["position"] = 1 if right == "A" else 2
    return _Question(asked, SHORT_TOKENS, read, fields)


def _attribution(spec: EpisodeSpec) -> _Question:
    offered, sentence = list(spec.given["makers"]), spec.given["revised_sentence"]
    right = offered.index(spec.given["editor"]) + 1
    user = prompts.attribution_prompt(sentence, offered, texts_of(spec.cell))

    def read(said: Reply) -> tuple[Read[Any], dict[str, Any]]:
        found = reply.heard(said, lambda text: read_attribution(text, offered), user)
        return found, {
            "predicted": found.value,
            "named": None if found.value is None else offered[found.value - 1],
            "valid": found.value is not None,
            "correct": found.value == right,
        }

    fields = {"reader": spec.cell.model, "sentences": [sentence], "position": right}
    return _Question(user, SHORT_TOKENS, read, fields | _words(spec))


def _words(spec: EpisodeSpec) -> dict[str, int]:
    return {
        "original_words": count_words(spec.given["original_sentence"]),
        "revised_words": count_words(spec.given["revised_sentence"]),
    }


_QUESTIONS: Mapping[str, Callable[[EpisodeSpec], _Question]] = {
    named.SEEDS: _seeds,
    named.STORY: _story,
    named.POOLED_STORY: _story,
    named.REVISION: _revision,
    named.RECOGNITION: _recognition,
    named.EXPLANATION: _explanation,
    named.AUTHORSHIP: _authorship,
    named.ATTRIBUTION: _attribution,
}
