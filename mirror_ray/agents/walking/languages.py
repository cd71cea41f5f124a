"""The words of selfid's prompts and replies in each language, as far as agents know them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.core.shipped_files import shipped_yaml
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_NUMBER = r"(-?\d{1,9}(?:\.\d{1,9})?)"


@dataclass(frozen=True, slots=True)
class Speech:
    """One language.

    Args:
        position: where the agent is, in three groups: x, y, heading.
        remaining: how many steps are left.
        claim: the colour that a system prompt ascribes to the robot.
        recalls: text in a prompt that recalls steps, or that says that no steps precede it.
        claims: a colour as such a claim writes it → its English name.
        says: an English name, or "unknown" → the word of a reply.
    """

    position: re.Pattern[str]
    remaining: re.Pattern[str]
    claim: re.Pattern[str]
    recalls: re.Pattern[str]
    claims: Mapping[str, str]
    says: Mapping[str, str]


def _speech(position: str, remaining: str, claim: str, recalls: str, words: str) -> Speech:
    """Return the speech with a word for each colour and "unknown": in a claim, in a reply."""
    pairs = [pair.split("=") for pair in words.split()]
    names = (*COLOR_NAMES, UNKNOWN)
    return Speech(
        re.compile(position.format(n=_NUMBER)),
        re.compile(remaining.format(n=r"(\d{1,9})")),
        re.compile(claim),
        re.compile(recalls),
        {said[0]: name for said, name in zip(pairs, COLOR_NAMES, strict=False)},
        {name: said[-1] for said, name in zip(pairs, names, strict=True)},
    )


SPEECHES: Mapping[str, Speech] = {
    language: _speech(**said)
    for language, said in shipped_yaml("mirror_ray.agents.walking", "languages.yaml").items()
}
