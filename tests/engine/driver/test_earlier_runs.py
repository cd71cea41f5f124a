"""What a run directory holds of a plan whose data lie in a folder: it may move, but not change."""

import asyncio
import json
from pathlib import Path

import pytest
import yaml

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply
from mirror_ray.engine.driver.earlier_runs import load_resume_state
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from support.recorded_run import record_run

ROWS: list[dict[str, object]] = [
    {
        "image": f"human_ear{place}.jpg",
        "question": "Which ear is shown?",
        "options": ["A. Left", "B. Right"],
        "answer": answer,
    }
    for place, answer in enumerate("ABA")
]
STAGE = {"family": "mirrorqa", "text_only": [True], "data": "data", "seeds": 3}
SWEEP = {
    "name": "s",
    "models": ["scripted/first-option"],
    "stages": [{**STAGE, "conditions": ["data"]}, {**STAGE, "conditions": ["sim"]}],
    "out": "run",
}


def write_rows(folder: Path, rows: list[dict[str, object]]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "test.jsonl").write_text("\n".join(map(json.dumps, rows)))


def plan_of(root: Path, folder: str = "data") -> Plan:
    (root / "sweep.yaml").write_text(yaml.safe_dump(SWEEP))
    keys = [f"stages.{stage}.data={folder}" for stage in (0, 1)]
    return load_plan(str(root / "sweep.yaml"), keys, str(root / "run"))


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder with a data set, and a run that has asked all of it."""
    write_rows(tmp_path / "data", ROWS)
    record_run(plan_of(tmp_path), lambda _: Reply("A"), family=FAMILIES["mirrorqa"])
    return tmp_path


def test_a_moved_folder_is_the_same_data(played: Path) -> None:
    (played / "data").rename(played / "elsewhere")
    resume_state = asyncio.run(load_resume_state(plan_of(played, "elsewhere")))
    assert (resume_state.left, resume_state.done) == ((), {"scripted/first-option": 6})


def test_a_changed_row_is_other_data_and_is_not_mixed_with_the_former(played: Path) -> None:
    write_rows(played / "data", [*ROWS[:2], {**ROWS[2], "answer": "B"}])
    with pytest.raises(RunDirError, match=r"got: +1 recorded episodes") as refused:
        asyncio.run(load_resume_state(plan_of(played)))
    assert f"{played / 'data'} ({played / 'sweep.yaml'}: stages.0.data)" in str(refused.value)
    write_rows(played / "data", ROWS)
    assert asyncio.run(load_resume_state(plan_of(played))).left == ()
