"""Agents for the text mirror test: each writes in a style, and reads in a way of its own.

Know the prompts' words alone. `ornate`, `terse` and `jolly` find what is least like their own
style: far above chance on foreign sentences, at chance on their own. `middling` writes like `terse`
and always says the middle; `careless` writes like `jolly`, miscounts a third of its stories, and
guesses.
"""

import json
import re
from collections.abc import Callable
from typing import TypeAlias

from mirror_ray.providers.scripted.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.providers.scripted.textmirror_styles import more_alike, sentence, strangest

_Reader: TypeAlias = Callable[[Prompt, list[str]], int]

_STORY = re.compile(r"write me a story in exactly (\d+) sentences")
_RANGE = re.compile(r"from 1-(\d+)(?:, or 0 if no part is strange)?[.:]\s*")
_NUMBER = re.compile(r"^\d+\. ", re.MULTILINE)
_ALTERNATIVES = re.compile(r"^A: (.*)\nB: (.*)$", re.MULTILINE)
_END = re.compile(r"(?<=[.!?])\s+")
_SEEDS_LISTED = 50
_MISCOUNTED = 1 / 3


def _agent(style: str, read: _Reader, *, miscounts: bool = False) -> Agent:
    def reply(prompt: Prompt) -> str:
        user = prompt.user
        if "prompts to generate short stories" in user:
            listed = [
                f"Write about this: {sentence(style, prompt.rng)}" for _ in range(_SEEDS_LISTED)
            ]
            return json.dumps(listed)
        story = _STORY.search(user)
        if story:
            wanted = int(story[1])
            if miscounts and prompt.rng.random() < _MISCOUNTED:
                wanted += 1
            return " ".join(sentence(style, prompt.rng) for _ in range(wanted))
        if user.startswith("Revise only the "):
            return sentence(style, prompt.rng)
        two = _ALTERNATIVES.search(user)
        if two:
            return "AB"[more_alike(style, two[1], two[2]) - 1]
        return _named(user, prompt, read)

    return reply


def _named(user: str, prompt: Prompt, read: _Reader) -> str:
    """The strange sentence, in the form that was asked for."""
    whole = "word for word: " in user
    start = user.index("word for word: ") + len("word for word: ") if whole else None
    if start is None:
        found = _RANGE.search(user)
        if found is None:
            raise UnfamiliarPromptError("no question of the text mirror test")
        start = found.end()
    shown = _NUMBER.sub("", user[start:])
    sentences = [one for one in _END.split(shown.strip()) if one]
    number = read(prompt, sentences)
    if whole:
        return sentences[number - 1]
    return f"I have read them all.\nANSWER: {number}" if "ANSWER:" in user else str(number)


def _middle(_: Prompt, sentences: list[str]) -> int:
    return (len(sentences) + 1) // 2


def _guess(prompt: Prompt, sentences: list[str]) -> int:
    return int(prompt.rng.integers(len(sentences))) + 1


ornate = _agent("ornate", lambda _, sentences: strangest("ornate", sentences))
terse = _agent("terse", lambda _, sentences: strangest("terse", sentences))
jolly = _agent("jolly", lambda _, sentences: strangest("jolly", sentences))
middling = _agent("terse", _middle)
careless = _agent("jolly", _guess, miscounts=True)
