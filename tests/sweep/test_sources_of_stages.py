"""A cell that could follow from nothing is refused before anything is bought."""

from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.records.usage import NO_USAGE
from mirror_ray.sweep.estimate import estimate
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.sampling import sample_scenes
from mirror_ray.sweep.stages import presume

HEAD = "name: t\nmodels: [scripted/ornate, scripted/terse]\nout: out\nbudget_usd: 1\nstages:\n"
STORIES = "  - {family: textmirror, conditions: [story], seeds: 2, temperature: [0.3]}\n"
REVISED = (
    "  - {family: textmirror, conditions: [revision], temperature: [0.7], "
    "story_temperature: [0.3]}\n"
)
READ = (
    "  - {family: textmirror, conditions: [recognition], temperature: [0.3], "
    "revision_temperature: [0.7]}\n"
)


def plan(tmp_path: Path, *stages: str, head: str = HEAD):
    path = tmp_path / "sweep.yaml"
    path.write_text(head + "".join(stages))
    return load_plan(str(path), (), str(tmp_path / "out"))


def test_stages_of_other_temperatures_follow_where_they_say_so(tmp_path: Path) -> None:
    whole = presume(plan(tmp_path, STORIES, REVISED, READ))
    counts = {
        c: sum(s.cell.condition == c for s in whole.episodes)
        for c in ("story", "revision", "recognition")
    }
    assert counts == {"story": 4, "revision": 8, "recognition": 8}


@pytest.mark.parametrize(
    "stages",
    [
        (STORIES, "  - {family: textmirror, conditions: [revision], temperature: [0.7]}\n"),
        (
            STORIES,
            REVISED,
            "  - {family: textmirror, conditions: [recognition], temperature: [0.3]}\n",
        ),
        (
            STORIES,
            "  - {family: textmirror, conditions: [revision], temperature: [0.3], "
            "n_sentences: [7]}\n",
        ),
    ],
)
def test_a_stage_that_follows_from_nothing_is_refused(
    tmp_path: Path, stages: tuple[str, ...]
) -> None:
    with pytest.raises(SweepError, match="follows from none of"):
        plan(tmp_path, *stages)


@pytest.mark.parametrize("exp1", ["channel: [wagering]", "channel: [natural], temperature: [0.7]"])
def test_routing_without_natural_answers_is_refused(tmp_path: Path, exp1: str) -> None:
    at = "" if "temperature" in exp1 else ", temperature: [0.0]"
    stages = (
        f"  - {{family: metacog, conditions: [exp1], seeds: 8, {exp1}{at}}}\n",
        "  - {family: metacog, conditions: [exp9-C1], seeds: 4, temperature: [0.0]}\n",
    )
    with pytest.raises(SweepError, match="follows from none of"):
        plan(
            tmp_path,
            *stages,
            head=HEAD.replace("ornate", "calibrated").replace("terse", "sycophantic"),
        )


def test_a_cell_without_episodes_is_planned_as_none(tmp_path: Path) -> None:
    stages = (
        "  - {family: metacog, conditions: [exp1], seeds: 8, channel: [natural], "
        "temperature: [0.0]}\n",
        "  - {family: metacog, conditions: [exp9-C1, exp9-C4], seeds: 4, temperature: [0.0], "
        "paradigm: [no_tools]}\n",
    )
    head = HEAD.replace("ornate", "calibrated").replace("terse", "sycophantic")
    whole = presume(plan(tmp_path, *stages, head=head))
    found = {
        each.cell.condition: each.episodes
        for each in estimate(whole, sample_scenes(whole.episodes), NO_USAGE)
    }
    assert found == {"exp1": 8, "exp9-C1": 4, "exp9-C4": 0}


KNOWN = "  - {family: metacog, conditions: [exp1], channel: [natural], seeds: 8}\n"


@pytest.mark.parametrize(
    ("line", "asks", "problem"),
    [
        ("{}", "seeds: 1", "bank"),
        (None, "seeds: 1", "bank"),
        ('{"question_text": "2 + 2?", "answer": "4", "source_domain": "x"}', "seeds: 1", "bank"),
        ("", "seeds: 10000000", "seeds"),
    ],
)
def test_a_later_stages_file_is_looked_into_before_anything_is_bought(
    tmp_path: Path, line: str | None, asks: str, problem: str
) -> None:
    """What cannot be listed whatever the replies are is not found out when they are paid for."""
    bank = tmp_path / "bank.jsonl"
    if line is not None:
        bank.write_text(line + "\n")
    named = f", bank: {bank}" if line != "" else ""
    parts = f"  - {{family: metacog, conditions: [exp9-C2], {asks}{named}}}\n"
    with pytest.raises(SweepError) as refused:
        plan(tmp_path, KNOWN, parts, head=HEAD.replace("ornate", "calibrated"))
    assert f"stages.1.{problem}" in str(refused.value)
