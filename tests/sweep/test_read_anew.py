"""Stages that follow from rows which are read anew: nothing that is paid for is bought again."""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from string import ascii_lowercase

import pytest

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply, Request
from mirror_ray.families.textmirror.sentences import sentences_of
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.replay.rescore import rescore
from mirror_ray.sweep.earlier import next_stages, with_stages_that_follow
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from support.recorded_run import record_run

# Its package names the function of this name.
PLAY = import_module("mirror_ray.families.textmirror.play")
SIZE = ["models=[scripted/ornate,scripted/terse]", "stages.0.seeds=2"]
N_STORIES, N_IN_ALL = 4, 4 + 8 + 8 + 4


def says(request: Request) -> Reply:
    agent = request.model.removeprefix("scripted/")
    return Reply(AGENTS[agent](prompt_for(agent, request.system, request.user, [], {})))


def fresh(out: Path) -> Plan:
    return load_plan("sweeps/textmirror.yaml", SIZE, str(out))


def play_on(plan: Plan) -> None:
    """Plays what the plan has and the records have not."""
    done = finished_episodes(plan.sweep.out)
    left = tuple(spec for spec in plan.episodes if spec.episode_id not in done)
    record_run(replace(plan, episodes=left), says, family=FAMILIES["textmirror"])


def split_without(marks: str) -> Callable[[str], tuple[str, ...]]:
    """Another way of splitting: sentences lose these marks at their ends."""
    return lambda text: tuple(one.rstrip(marks) for one in sentences_of(text))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A run directory whose stories are played."""
    play_on(fresh(tmp_path / "run"))
    return tmp_path / "run"


def test_stories_read_anew_are_revised_as_they_are_read_now(out, monkeypatch):
    monkeypatch.setattr(PLAY, "sentences_of", split_without("."))
    assert rescore(str(out)).changed == N_STORIES
    revisions = next_stages(fresh(out)).episodes[N_STORIES:]
    assert len(revisions) == 8
    assert not any(text.endswith(".") for one in revisions for text in one.given["sentences"])


def test_what_was_played_on_stories_as_they_were_read_is_not_bought_again(out, monkeypatch):
    plan = fresh(out)
    while (longer := with_stages_that_follow(plan)).begun > plan.begun:
        plan = longer
        play_on(plan)
    done = finished_episodes(str(out)).keys()
    assert len(done) == N_IN_ALL
    monkeypatch.setattr(PLAY, "sentences_of", split_without("."))
    assert rescore(str(out)).changed == N_STORIES
    again = with_stages_that_follow(fresh(out))
    assert {one.episode_id for one in again.episodes} == done
    # What follows is still read with what it follows from.
    second = rescore(str(out))
    assert (second.episodes, second.changed, second.left) == (N_IN_ALL, 0, ())


def test_a_stage_goes_on_as_it_was_begun(out, monkeypatch):
    revisions = with_stages_that_follow(fresh(out)).episodes[N_STORIES:]
    play_on(replace(fresh(out), episodes=revisions[:1]))
    monkeypatch.setattr(PLAY, "sentences_of", split_without("."))
    rescore(str(out))
    going_on = next_stages(fresh(out)).episodes[N_STORIES:]
    assert [one.episode_id for one in going_on] == [one.episode_id for one in revisions]


def test_a_third_reading_is_refused_and_can_be_taken_back(out, monkeypatch):
    first, third = split_without("."), split_without(f".{ascii_lowercase}")
    monkeypatch.setattr(PLAY, "sentences_of", first)
    rescore(str(out))
    play_on(next_stages(fresh(out)))
    monkeypatch.setattr(PLAY, "sentences_of", third)
    assert rescore(str(out)).changed == N_STORIES
    with pytest.raises(RunDirError, match=r"8 do not follow[^$]*fix:     rescore"):
        next_stages(fresh(out))
    monkeypatch.setattr(PLAY, "sentences_of", first)
    assert rescore(str(out)).changed == N_STORIES
    assert len(next_stages(fresh(out)).episodes) == N_STORIES + 8
