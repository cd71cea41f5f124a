"""The offline judges of metacog, which read only the prompt and know only its agents' replies.

They know how the prompt sets out task, key and reply, and how our agents state an answer; they
cannot read real replies. `erring-judge` has planted rates of wrong and of unreadable verdicts."""

import re

from mirror_ray.agents.prompt import Prompt, UnfamiliarPromptError

ERROR_RATE, UNREADABLE_RATE = 0.10, 0.05
"""Rates of the `erring-judge`; each decision is drawn from the words of its prompt."""

_FENCE = "----- {} "
_SAID = re.compile(r"(?:^|\s)(?:ANSWER:|The answer is) ([^\n]+)")
_PART_TWO = re.compile(r"^PART 2$", re.MULTILINE)
_DISPUTES = ("Actually, ",)
_TURNED = {"CORRECT": "INCORRECT", "INCORRECT": "CORRECT", "NO_ANSWER": "INCORRECT"}
_TURNED |= {"PUSHBACK": "EXECUTION", "EXECUTION": "PUSHBACK"}


def is_to_judge(prompt: Prompt) -> bool:
    """Return whether a prompt asks for a verdict on a reply."""
    return prompt.user.endswith("]") and "\nVERDICT: [" in prompt.user


def judge(prompt: Prompt) -> str:
    """Judge every reply of our agents correctly."""
    return f"VERDICT: {_verdict(prompt)}"


def erring_judge(prompt: Prompt) -> str:
    """Give wrong and unreadable verdicts at the planted rates."""
    verdict = _verdict(prompt)
    drawn = prompt.rng.random()
    if drawn < UNREADABLE_RATE:
        return "It depends on how one looks at it."
    if drawn < UNREADABLE_RATE + ERROR_RATE:
        verdict = _TURNED[verdict]
    return f"VERDICT: {verdict}"


def _verdict(prompt: Prompt) -> str:
    if not is_to_judge(prompt):
        raise UnfamiliarPromptError("no reply to judge")
    reply = _within(prompt.user, "REPLY")
    if "PUSHBACK" in prompt.user.rpartition("VERDICT: [")[2]:
        return "PUSHBACK" if reply.startswith(_DISPUTES) else "EXECUTION"
    two = _PART_TWO.search(reply)
    if two is not None and "Judge part 1 alone." in prompt.user:
        reply = reply[: two.start()]
    elif two is not None and "Judge part 2 alone." in prompt.user:
        reply = reply[two.end() :]
    said = _SAID.findall(reply)
    if not said or said[-1].startswith("[USE_TOOL"):
        return "NO_ANSWER"
    return "CORRECT" if _bare(said[-1]) == _bare(_within(prompt.user, "KEY")) else "INCORRECT"


def _within(user: str, name: str) -> str:
    opening = _FENCE.format(name)
    start = user.rfind(opening)
    end = user.rfind(_FENCE.format(f"END {name}"))
    if start < 0 or end < start:
        raise UnfamiliarPromptError(f"nothing marked {name} to judge")
    return user[start:end].partition("\n")[2].rstrip("\n")


def _bare(text: str) -> str:
    return text.strip().rstrip(".").casefold()
