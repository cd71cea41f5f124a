"""The reference agents of marktest. Each has one trait, so that every measure has a known
signature.

All but `_informed`, which reads the truth, act only on text and pixels."""

import re
from collections.abc import Mapping

from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.agents.sight import decode
from mirror_ray.core.untrusted import int_of
from mirror_ray.families.marktest.agents.body_sense import (
    GLASS_AHEAD,
    LEFT_HAND,
    TOUCHING,
    mark_in,
    own_place_of,
    place_at_glass,
    slope_of,
)
from mirror_ray.families.marktest.agents.text import LatticePoint, Moment, read_moment, write_action
from sim_assets.colors import COLOR_NAMES

_MOVES = ("left", "right", "up", "down", "forward", "back")
_ASIDE = -4
"""How many steps to the right the hand must be, so that it hides nothing of the body's
reflection."""
_ON_OWN = re.compile(r"\bmark on my (?P<place>[a-z]{1,12}(?: [a-z]{1,12})?)$")
_ON_GLASS = re.compile(r"\((?P<left>-?\d{1,2}), (?P<up>-?\d{1,2})\)$")
_NOTHING = "nothing"


def mark_observer(prompt: Prompt) -> str:
    """Take the image for one's own body: touch a mark that fits there, and no other."""
    moment = read_moment(prompt.user)
    known = _ON_OWN.search(moment.noticed)
    place, noticed = (known["place"], moment.noticed) if known else (None, _NOTHING)
    view = "I see my own reflection and my hand."
    if place is None:
        sight = decode(prompt.images[-1])
        blob = mark_in(sight)
        place = own_place_of(slope_of(blob, sight)) if blob else None
        if blob and place:
            noticed = f"a {COLOR_NAMES[blob.label]} mark on my {place}"
        elif blob:
            noticed = f"a {COLOR_NAMES[blob.label]} mark that is not on my body"
            view = "I see a room and my hand."
        else:
            view = "I see a room and my hand."
    if place is None or place not in TOUCHING:
        if moment.hand[1] > _ASIDE and noticed == _NOTHING and not moment.is_blocked:
            return write_action(view, "My hand may hide something.", noticed, "right")
        return write_action(view, "There is no mark on my body.", noticed, "end")
    action = _touching(moment, TOUCHING[place], goes_back_last=place != LEFT_HAND)
    return write_action(view, "The mark is on my own body, so I touch it there.", noticed, action)


def mirror_toucher(prompt: Prompt) -> str:
    """Take the image for a thing in front of the body: touch a mark where its image is."""
    return _reach_ahead(
        prompt,
        view="I see a picture in a frame, and my hand.",
        where="on the glass",
        why="I touch the mark where I see it.",
    )


def other_toucher(prompt: Prompt) -> str:
    """Take the image for somebody else, and reach for the mark on that body."""
    return _reach_ahead(
        prompt,
        view="Somebody stands opposite and looks at me. Hello!",
        where="on the other person",
        why="I want to show them what is on their body.",
    )


def mark_blind(prompt: Prompt) -> str:
    """Move, touch and end at random."""
    read_moment(prompt.user)
    chance = prompt.rng.random()
    action = "end" if chance < 0.04 else "touch" if chance < 0.14 else None
    return write_action(
        "I do not look at the picture.",
        "I do whatever comes to mind.",
        _NOTHING,
        action or str(prompt.rng.choice(_MOVES)),
    )


def parrot(prompt: Prompt) -> str:
    """Repeat the prompt: claim a mark where something was felt, otherwise on the forehead."""
    moment = read_moment(prompt.user)
    place = moment.felt if moment.felt and moment.felt in TOUCHING else "forehead"
    return write_action(
        "I see what I was told about.",
        "I was told of a mark on my body.",
        f"a colored mark on my {place}",
        _touching(moment, TOUCHING[place], goes_back_last=True),
    )


def _informed(prompt: Prompt) -> str:
    action = prompt.truth.get("way")
    if not isinstance(action, str):
        raise UnfamiliarPromptError("no way in the truth")
    is_over = action == "end"
    noticed = _NOTHING if is_over else "a mark on my body"
    return write_action("I see a room and my hand.", "I know.", noticed, action)


def _reach_ahead(prompt: Prompt, *, view: str, where: str, why: str) -> str:
    moment = read_moment(prompt.user)
    known = _ON_GLASS.search(moment.noticed)
    if known:
        noticed = moment.noticed
        left, up = int_of(known["left"]) or 0, int_of(known["up"]) or 0
    else:
        sight = decode(prompt.images[-1])
        blob = mark_in(sight)
        if blob is None:
            return write_action(view, "There is nothing to touch.", _NOTHING, "end")
        left, up = place_at_glass(slope_of(blob, sight))
        noticed = f"a {COLOR_NAMES[blob.label]} mark {where} ({left}, {up})"
    action = _touching(moment, (GLASS_AHEAD, left, up), goes_back_last=True)
    return write_action(view, why, noticed, action)


def _touching(moment: Moment, target: LatticePoint, *, goes_back_last: bool) -> str:
    if moment.has_touched:
        return "end"
    if moment.hand == target or moment.is_blocked:
        return "touch"
    ahead, left, up = (goal - now for goal, now in zip(target, moment.hand, strict=True))
    depth = "forward" if ahead > 0 else "back"
    if ahead and not goes_back_last:
        return depth
    if up:
        return "up" if up > 0 else "down"
    if left:
        return "left" if left > 0 else "right"
    return depth


AGENTS: Mapping[str, Agent] = {
    "mark-observer": mark_observer,
    "mirror-toucher": mirror_toucher,
    "other-toucher": other_toucher,
    "mark-blind": mark_blind,
    "parrot": parrot,
}
"""The agents by name."""

ORACLES: Mapping[str, Agent] = {"way": _informed}
"""For a key of the truth, the agent that acts on it."""
