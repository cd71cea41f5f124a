"""A directory that models and people play in turns: what the one answers, the other meets."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.people.consent import ConsentText
from mirror_ray.people.study import studying
from mirror_ray.sweep.load import load_plan

pytestmark = [
    pytest.mark.thorough("people/test_study.py asks what is left for a run"),
    pytest.mark.timeout(600),
]
STORY = "A gardener lived alone. He heard music. It came from a house. It was empty. He smiled."


def sweep(folder: Path) -> str:
    stages = [
        {"family": "textmirror", "conditions": [one], "temperature": [0.7], **size}
        for one, size in (("story", {"seeds": 1}), ("revision", {}), ("recognition", {}))
    ]
    file = folder / "mirror.yaml"
    told = {"name": "mirror", "models": ["scripted/ornate", "scripted/terse"], "stages": stages}
    file.write_text(yaml.safe_dump({**told, "out": str(folder / "run")}))
    return str(file)


async def answer_all(file: str) -> tuple[str, int]:
    """What there is to do for a person now; the state at its end, and how many answers it took."""
    answers = 0
    async with studying(load_plan(file, persons=["human/p1"]), ConsentText("?\n")) as (study, _):
        player = study.players["human/p1"]
        player.begin()
        await player.settled()
        while (question := player.question) is not None:
            is_story = "exactly 5 sentences" in question.request.user
            texts = {"": STORY if is_story else "He heard a faint tune in the dusk."}
            await player.answer(question.turn, "0" if question.form.choices else "", texts)
            answers += 1
        return player.state, answers


def test_models_and_people_play_one_directory_in_turns(tmp_path: Path, ray_env) -> None:
    file = sweep(tmp_path)
    # A story, its revision by its author, and that revision read.
    assert asyncio.run(answer_all(file)) == ("later", 3)
    command = [sys.executable, "-m", "mirror_ray", "run", file, "--plain"]
    ran = subprocess.run(
        command,
        env={**os.environ, **ray_env},
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "human/p1: their episodes are played with mirror-ray people." in ran.stdout
    # Two models' stories revised, and two models' revisions of the own story read.
    assert asyncio.run(answer_all(file)) == ("later", 4)
    with open_run(str(tmp_path / "run")) as connection:
        found = connection.execute(
            "select condition, count(*) filter (where model = 'human/p1'),"
            " count(*) filter (where model <> 'human/p1'),"
            " count(*) filter (where error_kind <> 'none')"
            " from shard.textmirror_episodes group by condition order by condition"
        ).fetchall()
    # Of three stories three revisions each; a model reads its own story's: the person's is to come.
    assert found == [("recognition", 3, 4, 0), ("revision", 3, 6, 0), ("story", 1, 2, 0)]
