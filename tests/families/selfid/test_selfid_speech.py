"""Agents understand a prompt in another language as they do the English one, and answer in it."""

from dataclasses import replace

import numpy as np
import pytest

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.agents.walking.text import SPEECHES, WalkerDecision, read_situation, write_reply
from mirror_ray.contract.family_files import axes_of
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Ask, Observation, Reply, Turn
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.play import play
from mirror_ray.families.selfid.reply import read_reply
from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.color_claims import in_english
from sim_assets.colors import COLOR_NAMES, UNKNOWN

OTHERS: tuple[Language, ...] = ("de", "es", "zh", "ja")


def asks(condition: str, language: str, **axes: int) -> list[Ask]:
    """The first two asks of an episode."""
    chosen = axes if language == "en" else {"language": language, **axes}
    cell = Cell(
        "selfid", condition, (("subject", "m"),), 0.2, "paper", tuple(sorted(chosen.items()))
    )
    playing = play(EpisodeSpec(cell, 3, 0), np.random.default_rng(0))
    first = next(playing)
    reply = Reply('{"action": "w", "identification": "unknown"}', finish_reason="stop")
    return [first, playing.send(Turn(Observation((), None, {}), reply))]


def test_agents_know_every_language() -> None:
    assert tuple(SPEECHES) == axes_of("selfid")["language"].choices


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("condition", ["E1", "E3", "E5"])
@pytest.mark.parametrize("history", [0, 1, 5])
def test_a_situation_is_the_same_in_every_language(
    language: str, condition: str, history: int
) -> None:
    pairs = zip(
        asks(condition, "en", history=history),
        asks(condition, language, history=history),
        strict=True,
    )
    for english, other in pairs:
        here = read_situation(english.system, english.user)
        there = read_situation(other.system, other.user)
        assert replace(there, language="en") == here
        assert there.language == language
        assert here.remembers == (history > 0)
        assert (here.claimed is not None) == (condition == "E3")


@pytest.mark.parametrize("language", OTHERS)
def test_what_an_agent_says_is_read_as_it_was_meant(language: Language) -> None:
    first = asks("E1", language)[0]
    situation = read_situation(first.system, first.user)
    for color in (*COLOR_NAMES, UNKNOWN):
        cube = None if color == UNKNOWN else color
        said = write_reply(situation, "v", WalkerDecision("done", "r", color, cube), "s")
        decision = read_reply(Reply(said, finish_reason="stop"), CONDITIONS["E1"], language)[1]
        assert decision is not None
        assert decision.selected_cube == (cube or "none")
        assert decision.identification is not None
        assert in_english(decision.identification, language) == color
        assert (color in said) == (language == "de" and color in ("orange", "cyan"))


def test_english_reader_looks_at_english_alone() -> None:
    """Without a picture an observer cannot act; who does not understand needs none."""
    for language in axes_of("selfid")["language"].choices or ():
        first = asks("E1", str(language))[0]
        prompt = prompt_for("english-reader", first.system, first.user, ())
        if language == "en":
            with pytest.raises(Exception, match="no picture"):
                AGENTS["english-reader"](prompt)
        else:
            assert "I do not look at the picture." in AGENTS["english-reader"](prompt)
