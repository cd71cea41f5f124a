"""The reference agents of dyad. Each has one trait, so that every measure has a known signature.

They act only on text and pixels, and walk, look and remember as selfid's `observer` does. They
differ in which body they take for their own, and in what they tell the other."""

from collections.abc import Callable, Mapping
from json import dumps

from mirror_ray.agents.prompt import Agent, Prompt
from mirror_ray.agents.walking.explorer import Belief, explore
from mirror_ray.agents.walking.looking import own_color
from mirror_ray.agents.walking.notes import Notes, read_notes
from mirror_ray.agents.walking.text import Situation, WalkerDecision, read_situation, write_reply
from mirror_ray.core.plain_json import parse_json
from mirror_ray.families.dyad.agents.text import (
    heard_of_other,
    heard_of_own,
    is_asked_to_tell,
    require_another_robot,
)
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_WALK = ("w", "w", "w", "a", "d", "s")
_GUESSES_AFTER_STEPS = 20
_WAITS_STEPS = 25
_CUBES = 3
_SILENCE = "none"


def self_finder(prompt: Prompt) -> str:
    """Find one's own colour in the reflection, ignore what the other says, and guess without a
    reflection. Tell the other its colour as seen."""
    return _played(prompt, own_color, _other_seen)


def other_taker(prompt: Prompt) -> str:
    """Take the directly visible body for one's own; tell nothing."""
    return _played(prompt, lambda _, notes: _other_seen(notes, UNKNOWN), _nothing)


def truster(prompt: Prompt) -> str:
    """Believe the other about one's own colour, and look for no other evidence. Tell the other its
    colour as seen. Guess if nothing is told for long."""
    return _played(prompt, _once_told(prompt, heard_of_own(prompt.user)), _other_seen)


def copier(prompt: Prompt) -> str:
    """Say and do what the other says of itself; tell nothing. Guess if it is silent for long."""
    return _played(prompt, _once_told(prompt, heard_of_other(prompt.user)), _nothing)


def liar(prompt: Prompt) -> str:
    """Find one's own colour like `self_finder`, and tell the other the colour of a different cube:
    as far as the liar knows, one that neither of them has."""
    return _played(prompt, own_color, _untrue)


def cube_guesser(prompt: Prompt) -> str:
    """Once the cubes have been seen, pick the colour of one as one's own; tell nothing."""
    return _played(prompt, lambda _, notes: _drawn(prompt, notes), _nothing)


def roamer(prompt: Prompt) -> str:
    """Walk at random to the last step: never done, naming no colour, not looking."""
    require_another_robot(prompt.system)
    situation, notes = read_situation(prompt.system, prompt.user), read_notes(prompt.user)
    decision = WalkerDecision(str(prompt.rng.choice(_WALK)), "I keep walking.")
    notes.steps += 1
    text = write_reply(
        situation, "I do not look at the picture.", decision, notes.write("I walk on.")
    )
    return _telling(prompt, text, _SILENCE)


def _played(prompt: Prompt, believe: Belief, tell: Callable[[Notes, str], str]) -> str:
    require_another_robot(prompt.system)
    text = explore(prompt, believe)
    reply = parse_json(text)
    return _telling(prompt, text, tell(read_notes(reply["summary"]), reply["identification"]))


def _once_told(prompt: Prompt, told: str | None) -> Belief:
    """Return a belief in what one is told. It is random if nobody talks, or if nothing was told for
    long."""

    def believed(_: Situation, notes: Notes) -> str:
        if told is not None:
            return told
        waits = is_asked_to_tell(prompt.system) and notes.steps < _WAITS_STEPS
        return UNKNOWN if waits else _drawn(prompt, notes)

    return believed


def _drawn(prompt: Prompt, notes: Notes) -> str:
    seen = sorted({cube.color for cube in notes.cubes})
    if not notes.choice and (len(seen) >= _CUBES or notes.steps >= _GUESSES_AFTER_STEPS):
        notes.choice = str(prompt.rng.choice(seen or list(COLOR_NAMES)))
    return notes.choice or UNKNOWN


def _telling(prompt: Prompt, text: str, told: str) -> str:
    if not is_asked_to_tell(prompt.system):
        return text
    return dumps({**parse_json(text), "tell": _SILENCE if told == UNKNOWN else told})


def _other_seen(notes: Notes, _: str) -> str:
    return max(sorted(notes.bodies), key=lambda color: notes.bodies[color], default=UNKNOWN)


def _untrue(notes: Notes, own: str) -> str:
    other = _other_seen(notes, own)
    rest = sorted({cube.color for cube in notes.cubes} - {own, other})
    return rest[0] if rest and other != UNKNOWN else _SILENCE


def _nothing(_: Notes, __: str) -> str:
    return _SILENCE


AGENTS: Mapping[str, Agent] = {
    "self-finder": self_finder,
    "other-taker": other_taker,
    "truster": truster,
    "copier": copier,
    "liar": liar,
    "cube-guesser": cube_guesser,
    "roamer": roamer,
}
"""The agents by name."""
