"""A run that was begun when our words were called "paper" goes on, and is read back, in them."""

from dataclasses import replace

import pytest

from mirror_ray.identity import Cell, EpisodeSpec
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.shards.reader import kept_prompt_sha
from mirror_ray.replay.playback import HistoryMismatchError, play_back
from mirror_ray.tasks.flipset import FAMILY
from mirror_ray.types import Ask, Reply

CELL = Cell("flipset", "MR", (("subject", "m"),), 0.0, "paper")


def spec(edition: int | None, variant: str = "paper") -> EpisodeSpec:
    return EpisodeSpec(replace(CELL, edition=edition, variant=variant), 3, 0)


def first_ask(asked: EpisodeSpec) -> Ask:
    ask = next(FAMILY.play(asked, asked.rng()))
    assert isinstance(ask, Ask)
    return ask


def entry_of(asked: EpisodeSpec) -> Entry:
    facts = {"card_px": 9, "monkey_px": 0, "screen_px": 0, "text_height_px": 40.0}
    sha = kept_prompt_sha(first_ask(asked))
    return Entry(asked.episode_id, 1, sha, None, facts, Reply("A"))


def test_the_first_edition_s_paper_is_now_framed() -> None:
    assert first_ask(spec(1)) == first_ask(spec(None, "framed"))
    assert first_ask(spec(2)) == first_ask(spec(None)) != first_ask(spec(1))
    assert spec(1).episode_id == spec(2).episode_id


@pytest.mark.parametrize(("edition", "prompt"), [(1, "framed"), (2, "printed")])
def test_a_record_is_played_in_the_words_that_were_sent(edition: int, prompt: str) -> None:
    playing = play_back(FAMILY, spec(edition), [entry_of(spec(edition))])
    next(playing)
    with pytest.raises(StopIteration) as end:
        next(playing)
    assert end.value.value.fields["prompt"] == prompt


def test_other_words_are_no_record_of_it() -> None:
    with pytest.raises(HistoryMismatchError, match="other words"):
        next(play_back(FAMILY, spec(2), [entry_of(spec(1))]))
