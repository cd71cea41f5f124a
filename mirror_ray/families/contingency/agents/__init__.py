"""The reference agents of contingency. Each has one trait, so that every measure has a known
signature.

They act only on text and pixels."""

from collections.abc import Mapping

from mirror_ray.agents.prompt import Agent, Prompt
from mirror_ray.agents.sight import decode
from mirror_ray.families.contingency.agents.gloves import glove_steps, shirts_shown
from mirror_ray.families.contingency.agents.text import (
    ScreenMoment,
    read_screen_moment,
    write_answer,
)

_PLACES = ("left", "middle", "right")
_TOUR = ("left", "down", "up", "up", "up", "right", "right")
"""A tour with every direction that ends where a randomly moving hand hardly ever is."""
_STEPS = {"left": (1, 0), "right": (-1, 0), "up": (0, 1), "down": (0, -1)}
_ENOUGH = 6
"""So many moves reveal images that lag, or that differ in one move."""


def contingency_tester(prompt: Prompt) -> str:
    """Move the hand and claim the image whose hand alone matched one's own in every picture; if no
    image did, the one that matched it one step later."""
    moment = read_screen_moment(prompt.user)
    view = "Three persons with gloves."
    done = max(0, len(_TOUR) + 1 - moment.left)
    if done >= _ENOUGH and len(prompt.images) > 1:
        seen = [glove_steps(decode(image)) for image in reversed(prompt.images)]
        own = _way_back(moment)
        for late, why in enumerate(("It moves as I do.", "It moves as I did.")):
            was = own[late : late + len(seen)]
            follows = [[one[screen] for one in seen[: len(was)]] == was for screen in range(3)]
            if any(follows):
                if sum(follows) == 1:
                    return write_answer(view, why, "stay", _PLACES[follows.index(True)])
                break
    if moment.left == 1:
        return write_answer(view, "Nobody moves as I do.", "stay", "none")
    return write_answer(view, "I move and watch.", _TOUR[done % len(_TOUR)], "unsure")


def shirt_matcher(prompt: Prompt) -> str:
    """Without moving, claim the first image from the left that wears one's own shirt."""
    moment = read_screen_moment(prompt.user)
    shirts = shirts_shown(decode(prompt.images[-1]))
    answer = next(
        (place for place, shirt in zip(_PLACES, shirts, strict=True) if shirt == moment.shirt),
        "none",
    )
    return write_answer("Three persons.", "That one wears my shirt.", "stay", answer)


def place_guesser(prompt: Prompt) -> str:
    """Name a screen at random, without looking."""
    read_screen_moment(prompt.user)
    answer = str(prompt.rng.choice(_PLACES))
    return write_answer("I do not look.", "I guess.", "stay", answer)


def _way_back(moment: ScreenMoment) -> list[tuple[int, int]]:
    places = [moment.hand]
    for move in reversed(moment.moves):
        left, up = places[-1]
        across, high = _STEPS.get(move, (0, 0))
        places.append((left - across, up - high))
    return places


AGENTS: Mapping[str, Agent] = {
    "contingency-tester": contingency_tester,
    "shirt-matcher": shirt_matcher,
    "place-guesser": place_guesser,
}
