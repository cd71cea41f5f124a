"""Agents for the text mirror test. Each writes in one style, and reads in its own way.

They use only the prompt's text. `ornate`, `terse` and `jolly` find the sentence least like their
own style: they score far above chance on foreign sentences and at chance on their own. `middling`
writes like `terse` and always answers with the middle sentence. `careless` writes like `jolly`,
miscounts a third of its stories, and guesses."""

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.families.textmirror.agents.styles import (
    STYLES,
    more_alike,
    most_alike,
    sentence,
    strangest,
)

_Reader: TypeAlias = Callable[[Prompt, list[str]], int]

# A prompt's request is at its beginning; others wrote the later text, which requests nothing.
_STORY = re.compile(r"Please write me a story in exactly (\d{1,3}) sentences")
_RANGE = re.compile(r"from 1-\d{1,3}(?:, or 0 if no part is strange)?[.:]\s*+")
_NUMBER = re.compile(r"^\d+\. ", re.MULTILINE)
_ALTERNATIVES = re.compile(r"^A: (.*)\nB: (.*)$", re.MULTILINE)
_OFFERED = re.compile(
    r"One of these models wrote the sentence below\.[^\n]*\n((?:[A-Z]: [^\n]*\n)+)Sentence: (.*)",
    re.DOTALL,
)
_REASONS = "Please answer with only one of them: "
_END = re.compile(r"(?<=[.!?])\s+")
_SEEDS_LISTED = 50
_MISCOUNTED = 1 / 3


def _agent(style: str, read: _Reader, *, miscounts: bool = False) -> Agent:
    def reply(prompt: Prompt) -> str:
        user = prompt.user
        if user.startswith("provide me 50 prompts to generate short stories"):
            listed = [
                f"Write about this: {sentence(style, prompt.rng)}" for _ in range(_SEEDS_LISTED)
            ]
            return json.dumps(listed)
        story = _STORY.match(user)
        if story:
            wanted = int(story[1])
            if miscounts and prompt.rng.random() < _MISCOUNTED:
                wanted += 1
            return " ".join(sentence(style, prompt.rng) for _ in range(wanted))
        if user.startswith("Revise only the "):
            return sentence(style, prompt.rng)
        if user.startswith("You were asked which part"):
            return user.rpartition(_REASONS)[2].split("; ")[list(STYLES).index(style)]
        attribution = _OFFERED.match(user)
        if attribution:
            return _attributed(attribution, prompt, read)
        two = _ALTERNATIVES.search(user)
        return "AB"[more_alike(style, *two.groups()) - 1] if two else _named(user, prompt, read)

    return reply


def _attributed(asked: re.Match[str], prompt: Prompt, read: _Reader) -> str:
    """Return the model whose style is most like the sentence's, or one chosen by habit."""
    offered = [line.partition(": ")[2] for line in asked[1].splitlines()]
    if read in (_middle, _guess):
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[read(prompt, offered) - 1]
    styles = [STYLE_OF.get(model.rpartition("/")[2]) for model in offered]
    known = sorted({style for style in styles if style})
    if not known:
        raise UnfamiliarPromptError("no agent of the text mirror test among the models")
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[styles.index(most_alike(known, asked[2]))]


def _named(user: str, prompt: Prompt, read: _Reader) -> str:
    whole = "word for word: " in user
    start = user.index("word for word: ") + len("word for word: ") if whole else None
    if start is None:
        found = _RANGE.search(user)
        if found is None:
            raise UnfamiliarPromptError("no question of the text mirror test")
        start = found.end()
    shown = _NUMBER.sub("", user[start:])
    sentences = [one for one in _END.split(shown.strip()) if one]
    if not sentences:
        raise UnfamiliarPromptError("no sentences to choose among")
    number = read(prompt, sentences)
    if whole:
        return sentences[number - 1]
    return f"I have read them all.\nANSWER: {number}" if "ANSWER:" in user else str(number)


def _middle(_: Prompt, sentences: list[str]) -> int:
    return (len(sentences) + 1) // 2


def _guess(prompt: Prompt, sentences: list[str]) -> int:
    return int(prompt.rng.integers(len(sentences))) + 1


STYLE_OF: Mapping[str, str] = {
    "ornate": "ornate",
    "terse": "terse",
    "jolly": "jolly",
    "middling": "terse",
    "careless": "jolly",
}
"""The style that each agent writes in."""

ornate = _agent("ornate", lambda _, sentences: strangest("ornate", sentences))
terse = _agent("terse", lambda _, sentences: strangest("terse", sentences))
jolly = _agent("jolly", lambda _, sentences: strangest("jolly", sentences))
middling = _agent("terse", _middle)
careless = _agent("jolly", _guess, miscounts=True)

AGENTS: Mapping[str, Agent] = {
    "ornate": ornate,
    "terse": terse,
    "jolly": jolly,
    "middling": middling,
    "careless": careless,
}
"""The agents by name."""
