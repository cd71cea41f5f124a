"""The sweeps of the sources: they plan, with the models that these name, too."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.stages import presume

LEGS = ["A. Left front", "B. Right front", "C. Left rear", "D. Right rear"]


def test_flipsets_protocol_is_the_printed_one() -> None:
    plan = load_plan("sweeps/papers/flipset.yaml")
    assert len(plan.episodes) == 2 * 4 * 336
    assert {cell.temperature for cell in plan.cells} == {None}
    assert {cell.variant for cell in plan.cells} == {"paper"}
    assert all(dict(cell.axes)["scene"] == "upright" for cell in plan.cells)


def test_selfids_study_has_840_episodes_of_its_eight_models() -> None:
    plan = load_plan("sweeps/papers/selfid.yaml", ["models=[roster/selfid]"])
    assert (len(plan.cells), len(plan.episodes)) == (40, 840)
    assert {cell.temperature for cell in plan.cells} == {0.2}
    assert {(cell.variant, cell.axes) for cell in plan.cells} == {("paper", ())}
    # The same scenes for every model.
    by_model = {
        model: {(one.cell.condition, one.scene_seed, one.run) for one in plan.episodes}
        for model in plan.models
    }
    assert len(set(map(frozenset, by_model.values()))) == 1


@pytest.fixture
def sorted_data(tmp_path: Path) -> Path:
    """A published folder, sorted by kind and answer as the public one is."""
    (tmp_path / "vqa_files").mkdir()
    (tmp_path / "images").mkdir()
    rows = [
        {
            "image": f"dog{i}.jpg",
            "question": "Which leg?",
            "options": LEGS,
            "answer": "ABCD"[i // 5],
        }
        for i in range(20)
    ] + [
        {
            "image": f"human_ear{i}.jpg",
            "question": "Which ear?",
            "options": ["A. Left", "B. Right"],
            "answer": "AB"[i // 10],
        }
        for i in range(20)
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    for split in ("test", "train"):
        (tmp_path / "vqa_files" / f"{split}.jsonl").write_text(text)
    for row in rows:
        Image.fromarray(np.zeros((6, 8, 3), np.uint8)).save(tmp_path / "images" / row["image"])  # type: ignore[operator]
    return tmp_path


def test_mirrorqas_rows_are_asked_in_a_balanced_order(sorted_data: Path) -> None:
    changes = [
        f"stages.{n}.{key}"
        for n in range(4)
        for key in (f"data={sorted_data}", "seeds=40", "runs=1")
    ]
    plan = load_plan("sweeps/papers/mirrorqa.yaml", changes)
    first_stage = [one for one in plan.episodes if one.cell.variant == "paper"]
    cell = first_stage[0].cell
    asked = [one.given for one in first_stage if one.cell == cell]
    assert len(asked) == 40
    for spent in (8, 16, 24):
        begun = Counter((given["kind"], given["answer"]) for given in asked[:spent])
        assert max(begun[kind, side] for kind, side in begun if kind == "human") <= spent // 4 + 1
        assert len([1 for kind, _ in begun if kind == "animal"]) == 4


def test_repetitions_of_a_photograph_show_one_picture(sorted_data: Path) -> None:
    changes = [f"stages.{n}.{key}" for n in range(4) for key in (f"data={sorted_data}", "seeds=4")]
    plan = load_plan("sweeps/papers/mirrorqa.yaml", changes)
    shown = {FAMILIES["mirrorqa"].shown_by(spec) for spec in plan.episodes}
    assert len(shown) == 4


def test_mirrors_protocol_is_the_printed_one() -> None:
    small = [f"stages.{n}.seeds=8" for n in range(17)]
    plan = load_plan("sweeps/papers/mirror.yaml", small, "nowhere")
    assert len({cell.model for cell in plan.cells}) == 16
    assert {cell.temperature for cell in plan.cells} == {0.0}
    rules = {
        (cell.condition, dict(cell.axes).get("route"))
        for cell in plan.cells
        if cell.condition in ("exp9-C3", "exp9-C4")
    }
    # What C3 is told is what C4 routes by; without tools there is no C4.
    assert rules == {("exp9-C3", "below_0.5"), ("exp9-C4", "below_0.5")}
    without = {c.condition for c in plan.cells if dict(c.axes).get("paradigm") == "no_tools"}
    assert without == {"exp9-C1", "exp9-C2", "exp9-C3"}


def test_the_text_mirror_buys_each_story_once() -> None:
    small = [
        "models=[scripted/ornate,scripted/terse]",
        *("stages.0.seeds=1", "stages.1.seeds_per_model=4", "stages.2.seeds_per_model=2"),
        "stages.3.seeds=2",
    ]
    plan = presume(load_plan("sweeps/papers/textmirror.yaml", small, "nowhere"))
    stories = [s for s in plan.episodes if s.cell.condition in ("story", "pooled_story")]
    # Of 5 sentences at 0.7, of eight other numbers, and at two other temperatures; by each model.
    assert len(stories) == 2 * (2 * 4 + 8 * 2 * 2 + 2 * 2)
    read = {(s.cell.condition, s.cell.variant, s.cell.axes, s.cell.temperature)
            for s in plan.episodes if "editor" in s.given}  # fmt: skip
    # Six ways to ask, a third model, eight lengths, eight temperatures, and three other questions;
    # unchanged stories have no editor.
    assert len(read) == 6 + 1 + 8 + 8 + 3
    assert all(cell.condition in {s.cell.condition for s in plan.episodes} for cell in plan.cells)
