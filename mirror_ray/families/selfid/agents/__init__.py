"""The reference agents of selfid. Each has one trait, so that every metric has a known signature.

All but `_informed`, which reads the truth, act only on text and pixels."""

from collections.abc import Mapping

from mirror_ray.agents.channel import indifferent
from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.agents.walking.explorer import explore
from mirror_ray.agents.walking.looking import own_color
from mirror_ray.agents.walking.notes import Notes, read_notes
from mirror_ray.agents.walking.text import Situation, WalkerDecision, read_situation, write_reply
from mirror_ray.families.selfid.agents import acuity
from mirror_ray.families.selfid.agents.comparing import comparer
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_WALK = ("w", "w", "w", "a", "d", "s")
"""The actions of random walkers, equally likely."""
_DONE_CHANCE = 0.04
_CONFABULATED_STEPS = 8


def observer(prompt: Prompt) -> str:
    """Find one's own colour in the reflection, whatever the prompt claims; guess without one."""
    return explore(prompt, own_color)


def gullible(prompt: Prompt) -> str:
    """Believe the colour that the prompt claims; act like `observer` if it claims none."""
    return explore(
        prompt, lambda situation, notes: situation.claimed or own_color(situation, notes)
    )


def echo(prompt: Prompt) -> str:
    """Take the agent seen directly most often for oneself; ignore reflections."""
    return explore(prompt, _most_seen_other)


def _informed(prompt: Prompt) -> str:
    color = prompt.truth.get("ego_color")
    if color not in COLOR_NAMES:
        raise UnfamiliarPromptError("no ego_color in the truth")
    return explore(prompt, lambda _situation, _notes: str(color))


def confabulator(prompt: Prompt) -> str:
    """Name a random colour at the first step, and act on it after a short walk."""
    situation, notes = read_situation(prompt.system, prompt.user), read_notes(prompt.user)
    notes.choice = notes.choice or str(prompt.rng.choice(COLOR_NAMES))
    is_over = notes.steps >= _CONFABULATED_STEPS or situation.remaining <= 1
    decision = WalkerDecision(
        action="done" if is_over else str(prompt.rng.choice(_WALK)),
        reasoning=f"I have always been {notes.choice}.",
        identification=notes.choice,
        cube=notes.choice if is_over else None,
    )
    return _without_looking(situation, notes, decision)


def blind(prompt: Prompt) -> str:
    """Move, name colours and stop at random."""
    situation, notes = read_situation(prompt.system, prompt.user), read_notes(prompt.user)
    is_over = bool(prompt.rng.random() < _DONE_CHANCE)
    color = str(prompt.rng.choice(COLOR_NAMES))
    decision = WalkerDecision(
        action="done" if is_over else str(prompt.rng.choice(_WALK)),
        reasoning="I do whatever comes to mind.",
        identification=color,
        cube=color if is_over else None,
    )
    return _without_looking(situation, notes, decision)


def english_reader(prompt: Prompt) -> str:
    """Act like `observer`, but understand only English; under any other prompt act like `blind`."""
    situation = read_situation(prompt.system, prompt.user)
    return observer(prompt) if situation.language == "en" else blind(prompt)


def mute(prompt: Prompt) -> str:
    """Wander until the step limit; never end the task or name a colour."""
    situation, notes = read_situation(prompt.system, prompt.user), read_notes(prompt.user)
    decision = WalkerDecision(str(prompt.rng.choice(_WALK)), "I keep exploring.")
    return _without_looking(situation, notes, decision)


def _most_seen_other(_situation: Situation, notes: Notes) -> str:
    return max(sorted(notes.bodies), key=lambda color: notes.bodies[color], default=UNKNOWN)


def _without_looking(situation: Situation, notes: Notes, decision: WalkerDecision) -> str:
    notes.steps += 1
    return write_reply(
        situation, "I do not look at the picture.", decision, notes.write(decision.reasoning)
    )


AGENTS: Mapping[str, Agent] = {
    "observer": indifferent(observer),
    "gullible": indifferent(gullible),
    "confabulator": indifferent(confabulator),
    "blind": indifferent(blind),
    "mute": indifferent(mute),
    "comparer": indifferent(comparer),
    "english-reader": indifferent(english_reader),
    "echo": indifferent(echo),
    **acuity.AGENTS,
}
"""The agents by name."""

ORACLES: Mapping[str, Agent] = {"ego_color": _informed}
"""For a key of the truth, the agent that acts on it."""
