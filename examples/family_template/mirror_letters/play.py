"""One episode: one word, one question."""

import re

import numpy as np

from mirror_ray.core.identity import EpisodeSpec, seeded
from mirror_ray.core.types import Ask, Outcome, Play

CONDITIONS = {
    "plain": "the word as it is",
    "mirrored": "as plain, seen in a mirror: its letters in the other order",
}
_LETTERS = list("ABCDEFGHIKLMNOPRSTUVW")
_ANSWER = re.compile(r"\b[A-Z]{1,40}\b")


def word_of(spec: EpisodeSpec) -> str:
    """The scene: equal for all models and conditions, as it is seeded by the scene alone."""
    rng = seeded("letters", str(spec.scene_seed), str(spec.run))
    while True:
        word = "".join(rng.choice(_LETTERS, size=length_of(spec)))
        if word != word[::-1]:
            return word


def length_of(spec: EpisodeSpec) -> int:
    """The axis `length`."""
    return int(dict(spec.cell.axes).get("length", 5))


def max_asks(spec: EpisodeSpec) -> int:
    """One."""
    return 1


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Asks, reads the reply, and ends: everything in it follows from `spec` and the replies."""
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
