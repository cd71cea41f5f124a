"""An agent of metacog that, like a hosted model, reads only the prompt: it guesses.

It replies in the requested format, with an answer and a confidence drawn from the prompt's own
stream. The mock provider rehearses metacog with it."""

import re

from mirror_ray.agents.channel import percent
from mirror_ray.agents.prompt import Prompt
from mirror_ray.families.metacog.agents.judge import is_to_judge, judge
from mirror_ray.families.metacog.agents.text import SIMPLE, asked_format

_LETTERED = re.compile(r"^\(?([A-J])[).:] ", re.MULTILINE)
_PART = re.compile(r"PART (\d)")
_MOST = 100


def guesser(prompt: Prompt) -> str:
    """Guess an option, or a number if the question has no options, and a confidence."""
    if is_to_judge(prompt):
        return judge(prompt)
    form, belief = asked_format(prompt.user), float(prompt.rng.random())
    if form == "evaluation":
        return f"SCORE: {percent(belief)}\nREASON: I guessed."
    if form == "difficulty":
        letter = "A" if belief >= 0.5 else "B"
        return f"CHOICE: {letter}\nANSWER: {_guess(prompt)}"
    parts = sorted(set(_PART.findall(prompt.user)))
    if form in SIMPLE and not parts:
        return SIMPLE[form](_guess(prompt), belief)
    return "\n".join(f"PART {part}\n{_part(prompt, form)}" for part in parts or ["1"])


def _part(prompt: Prompt, form: str) -> str:
    guess = _guess(prompt)
    if form == "checkpoint":
        decision = prompt.rng.choice(("PROCEED", "USE_TOOL", "FLAG_FOR_REVIEW"))
        return f"DECISION: {decision}\nANSWER: {guess}"
    if form == "no_tools":
        return f"REASONING: I guessed.\nANSWER: {guess}"
    if prompt.rng.random() < 0.5:
        return "ANSWER: [USE_TOOL: ask_expert | What is the answer?]"
    return f"ANSWER: {guess}"


def _guess(prompt: Prompt) -> str:
    letters = sorted(set(_LETTERED.findall(prompt.user)))
    if len(letters) > 1:
        return str(prompt.rng.choice(letters))
    return str(prompt.rng.integers(_MOST))
