"""contingency on the keyboard: arrows move the hand, digits name the screen that shows oneself."""

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.forms.form import Form, FormChoice, as_json

_KEYS = ("view", "reasoning", "move", "answer")
_MOVES = {
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "ArrowUp": "up",
    "ArrowDown": "down",
    " ": "stay",
}
_ANSWERS = {"1": "left", "2": "middle", "3": "right", "0": "none"}


def form(spec: EpisodeSpec, ask: Request) -> Form:
    """Return the form of any step: a move continues the episode, an answer ends it."""
    moves = tuple(
        FormChoice(key, f"move: {move}", {"move": move, "answer": "unsure"})
        for key, move in _MOVES.items()
    )
    answers = tuple(
        FormChoice(key, f"answer: {answer}", {"move": "stay", "answer": answer})
        for key, answer in _ANSWERS.items()
    )
    return Form((*moves, *answers), (), as_json(_KEYS))
