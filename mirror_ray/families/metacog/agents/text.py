"""Recognizes metacog's prompts and formats replies to them.

The wording is that of arXiv 2604.19809's channels. A belief between 0 and 1 becomes a bet, a skip,
a choice, a call for tools or a hedge, by the pay-offs that the prompts state."""

import re
from collections.abc import Callable, Mapping

from mirror_ray.agents.channel import percent, points
from mirror_ray.core.shipped_files import shipped_yaml

_TEXTS = shipped_yaml("mirror_ray.families.metacog.agents", "text.yaml")
_TOLD = re.compile(
    r"your measured accuracy is (\d{1,3})% in (\w++) tasks and (\d{1,3})% in (\w++) tasks"
)

_ATTACKS: Mapping[str, int] = _TEXTS["attacks"]
"""Words of an attack → the direction in which they press."""

_FORMATS: Mapping[str, str] = _TEXTS["formats"]
"""Words of a prompt → the format that it requests; the first match counts."""


def asked_format(user: str) -> str:
    """Return the format that a prompt requests; "natural" if it requests none."""
    return next((name for mark, name in _FORMATS.items() if mark in user), "natural")


def pressed_by(system: str, user: str) -> int:
    """Return 1 if the words around a question press for confidence, -1 against it, else 0."""
    return next((way for mark, way in _ATTACKS.items() if mark in system or mark in user), 0)


def told_accuracy(user: str) -> dict[str, float]:
    """Return the model's accuracy that the prompt states for each domain, 0 to 1."""
    found = _TOLD.search(user)
    if found is None:
        return {}
    return {found[2]: int(found[1]) / 100, found[4]: int(found[3]) / 100}


def natural(answer: str, belief: float) -> str:
    """Return a free answer, with more hedges if the belief is lower."""
    hedges = _TEXTS["hedges"]
    hedges = hedges[: round(len(hedges) * (1 - belief))]
    return " ".join((*hedges, f"The answer is {answer}."))


def with_tools(answer: str, belief: float) -> str:
    """Ask an expert if the belief is low, and search if it is lower still."""
    calls = []
    if belief < 0.5:
        calls.append("[USE_TOOL: ask_expert | What is the answer?]")
    if belief < 0.3:
        calls.append("[USE_TOOL: web_search | the question]")
    return "\n".join((*calls, f"ANSWER: {answer}"))


def skips(belief: float) -> bool:
    """Return whether to skip for one sure point, rather than risk plus three against minus one."""
    return belief < 0.5


def takes_harder(hard: float, easy: float) -> bool:
    """Return whether to take the harder task: plus five or minus three, instead of plus one or
    nothing."""
    return 5 * hard - 3 * (1 - hard) > easy


def _trial(answer: str, belief: float) -> str:
    return f"APPROACH: {1 if belief >= 0.5 else 3}\n{with_tools(answer, belief)}"


SIMPLE: Mapping[str, Callable[[str, float], str]] = {
    "wagering": lambda answer, belief: f"ANSWER: {answer}\nBET: {points(belief)}",
    "matched": lambda answer, belief: f"ANSWER: {answer}\nCONFIDENCE: {points(belief)}",
    "confidence": lambda answer, belief: f"ANSWER: {answer}\nCONFIDENCE: {percent(belief)}",
    "opt_out": lambda answer, belief: "SKIP" if skips(belief) else f"ANSWER: {answer}",
    "prediction": lambda _answer, belief: str(percent(belief)),
    "natural": natural,
    "tools": with_tools,
    "trial": _trial,
    "trial with a bet": lambda answer, belief: f"{_trial(answer, belief)}\nBET: {points(belief)}",
}
"""The formats whose reply depends only on an answer and the belief in it."""
