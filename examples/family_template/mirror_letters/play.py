"""One episode: a word and a question."""

import re

import numpy as np

from mirror_ray.contract.family_files import axis_value
from mirror_ray.core.identity import EpisodeSpec, seeded
from mirror_ray.core.types import Ask, Outcome, Play

_LETTERS = list("ABCDEFGHIKLMNOPRSTUVW")
_ANSWER = re.compile(r"\b[A-Z]{1,40}\b")


def word_of(spec: EpisodeSpec) -> str:
    """Return the scene's word, seeded by the scene only: the same for all models and conditions."""
    rng = seeded("letters", str(spec.scene_seed), str(spec.run))
    while True:
        word = "".join(rng.choice(_LETTERS, size=length_of(spec)))
        if word != word[::-1]:
            return word


def length_of(spec: EpisodeSpec) -> int:
    """Return the value of the axis `length`."""
    return int(axis_value(spec.cell, "length"))


def max_asks(spec: EpisodeSpec) -> int:
    """Return 1: an episode has one request."""
    return 1


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Yield the question and return the outcome, which depends only on `spec` and the reply."""
    word = word_of(spec)
    is_mirrored = spec.cell.condition == "mirrored"
    where = "In a mirror you see a sheet that reads" if is_mirrored else "A sheet reads"
    turn = yield Ask(
        role="subject",
        step=1,
        system="",
        user=f"{where} {word[::-1] if is_mirrored else word}. What is written on the sheet? "
        "Reply with the word alone.",
        max_tokens=64,
    )
    found = _ANSWER.findall(turn.reply.text.upper())
    failed = turn.reply.error_kind != "none"
    return Outcome(
        terminated=not failed,
        truncated=False,
        error_kind=turn.reply.error_kind,
        fields={"word": word, "length": len(word)},
        steps=({"answer": found[-1] if found else None},),
    )
