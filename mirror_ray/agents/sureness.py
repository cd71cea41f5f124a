"""Agents that act on how sure they are.

Two agents see equally well, but only one knows when it is wrong. Both are right about three scenes
in five. The choice depends on a seed from the picture alone, so that all channels and repetitions
get the same answers. They play FlipSet, MirrorQA and selfid."""

from collections.abc import Callable, Mapping

from mirror_ray.agents.channel import BETS, FORECAST, SKIPS, percent, points
from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError, content_of
from mirror_ray.agents.walking.explorer import explore
from mirror_ray.core.identity import seeded

SHARE_KNOWN = 0.6
_SURE, _UNSURE = 0.95, 0.15
_SWAPPED = {"Left": "Right", "Right": "Left"}
_LETTERS = "ABCD"


def aware(prompt: Prompt) -> str:
    """Bet and forecast high when right; bet low, or defer, when wrong."""
    return _say(prompt, _SURE if _is_known(prompt) else _UNSURE)


def unaware(prompt: Prompt) -> str:
    """Be right as often as `aware`, but always sure."""
    return _say(prompt, _SURE)


def _say(prompt: Prompt, belief: float) -> str:
    if FORECAST in prompt.user:
        return str(percent(belief))
    if "ego_color" in prompt.truth:
        return _act(prompt, belief)
    if "answer" not in prompt.truth:
        raise UnfamiliarPromptError("nothing known in the truth")
    return next(
        (say(_answer(prompt), belief) for mark, say in _ANSWERS.items() if mark in prompt.user),
        _answer(prompt),
    )


def _act(prompt: Prompt, belief: float) -> str:
    for mark, say in _STAKES.items():
        if mark in prompt.user:
            return say(belief)
    truth = prompt.truth
    others = [cube["color"] for cube in truth["cubes"] if cube["color"] != truth["ego_color"]]
    known = _is_known(prompt) or not others
    return explore(prompt, lambda _situation, _notes: truth["ego_color"] if known else others[0])


def _is_known(prompt: Prompt) -> bool:
    """Return whether the agent reads this scene correctly, which is so in every channel and step
    alike."""
    truth = prompt.truth
    if "ego_color" in truth:
        places = [(cube["color"], cube["x_m"], cube["y_m"]) for cube in truth["cubes"]]
        key: object = [truth["ego_color"], *map(str, places)]
    else:
        key = list(map(content_of, prompt.images))
    return bool(seeded("sight", key).random() < SHARE_KNOWN)


def _answer(prompt: Prompt) -> str:
    right = str(prompt.truth["answer"])
    if _is_known(prompt):
        return right
    if right in _LETTERS:
        return _LETTERS[(_LETTERS.index(right) + 1) % int(prompt.truth.get("options", 4))]
    side, *end = right.split(" ")
    return " ".join((_SWAPPED.get(side, side), *end))


def _is_worth_it(belief: float) -> bool:
    return 4 * belief - 1 > 1


_ANSWERS: Mapping[str, Callable[[str, float], str]] = {
    BETS: lambda answer, belief: f"ANSWER: {answer}\nBET: {points(belief)}",
    SKIPS: lambda answer, belief: f"ANSWER: {answer}" if _is_worth_it(belief) else "SKIP",
}
_STAKES: Mapping[str, Callable[[float], str]] = {
    BETS: lambda belief: f"BET: {points(belief)}",
    SKIPS: lambda belief: "KEEP" if _is_worth_it(belief) else "SKIP",
}

AGENTS: Mapping[str, Agent] = {"aware": aware, "unaware": unaware}
