"""The public data set's folder: as it was published, with its quirks, and with mistakes."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.mirrorqa.folder import pictures_of, read_split
from mirror_ray.families.mirrorqa.listing import rows_of_folder
from mirror_ray.families.mirrorqa.play import play
from mirror_ray.world.photo import FileView

LEGS = ["A. Left front", "B. Right front", "C. Left rear", "D. Right rear"]
PUBLISHED = Path(__file__).parents[3] / ".." / "shared" / "data" / "mirrorqa"


def row(image: str = "human_ear1.jpg", answer: str = "A", **changes: Any) -> dict[str, Any]:
    question = "Which ear of the man is shown in the picture?"
    base = {"image": image, "question": question, "options": ["A. Left", "B. Right"]}
    return {**base, "answer": answer, **changes}


def folder(root: Path, *rows: Any, split: str = "test", pictures: bool = True) -> Path:
    """The published layout."""
    place = root / "Dataset" / "vqa_files"
    place.mkdir(parents=True, exist_ok=True)
    images = root / "Dataset" / "images"
    images.mkdir(exist_ok=True)
    lines = [one if isinstance(one, str) else json.dumps(one) for one in rows]
    (place / f"{split}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for index, one in enumerate(rows):
        if pictures and isinstance(one, dict):
            pixels = np.full((6, 8, 3), index, np.uint8)
            Image.fromarray(pixels).save(images / one["image"])
    return root


def episodes(root: Path | str, *, seeds: int | list[int] = 2, **axes: Any) -> list[EpisodeSpec]:
    cell = Cell("mirrorqa", "data", (("subject", "m"),), 0.0, "paper", tuple(sorted(axes.items())))
    options = {"data": str(root), "split": "test"}
    named = range(seeds) if isinstance(seeds, int) else seeds
    listed = rows_of_folder(cell, Shape(named, 1, ("m",), options, "s.yaml: stages.0"), None)
    # As the rows are, whatever the order in which they are asked.
    return sorted(listed, key=lambda one: one.scene_seed)


def test_any_beginning_of_a_sorted_split_is_balanced(tmp_path: Path) -> None:
    rows = [
        *(row(f"human_ear{i}.jpg", "AB"[i >= 60]) for i in range(80)),
        *(row(f"dog{i}.jpg", "ABCD"[i // 10], options=LEGS) for i in range(40)),
    ]
    folder(tmp_path, *rows, pictures=False)
    cell = Cell("mirrorqa", "data", (("subject", "m"),), 0.0, "paper", (("text_only", True),))
    options = {"data": str(tmp_path), "split": "test"}

    def listed(count: int) -> list[EpisodeSpec]:
        return list(rows_of_folder(cell, Shape(range(count), 1, ("m",), options, "s"), None))

    whole = listed(120)
    assert sorted(one.scene_seed for one in whole) == list(range(120))
    for count in (12, 30, 60):
        part = listed(count)
        assert part == whole[:count]
        kinds = Counter((one.given["kind"], one.given["answer"]) for one in part)
        everything = Counter((one.given["kind"], one.given["answer"]) for one in whole)
        for stratum, total in everything.items():
            assert abs(kinds[stratum] - total * count / 120) <= 1
    # A row is the same episode, whether it is counted or named.
    (named,) = rows_of_folder(cell, Shape([7], 1, ("m",), options, "s"), None)
    assert named in whole
    assert named.scene_seed == 7


@pytest.mark.parametrize("below", ["", "Dataset", "Dataset/vqa_files"])
def test_the_folder_may_be_named_at_any_level(tmp_path: Path, below: str) -> None:
    folder(tmp_path, row(), row("dog1.jpg", "C", options=LEGS))
    split = read_split(str(tmp_path / below), "test", "here")
    assert [(one.kind, one.answer, one.quirks) for one in split.rows] == [
        ("human", "left", ()),
        ("animal", "left rear", ()),
    ]
    assert set(pictures_of(split, split.rows, "here")) == {"human_ear1.jpg", "dog1.jpg"}


@pytest.mark.parametrize(
    ("changes", "answer", "quirks"),
    [
        ({"options": ["A.Left", "B.Right"]}, "left", ["no space after the letter"]),
        ({"options": ["a. left", "b. right"], "answer": "b"}, "right", ["answer in lower case"]),
        (
            {
                "options": ["A. Left front", "B. Right front", "C. Left back", "D. Right back"],
                "answer": "D",
            },
            "right rear",
            ["back read as rear"],
        ),
        (
            {"options": ["A. Left fore", "B. Right fore", "C. Left hind", "D. Right hind"]},
            "left front",
            ["fore read as front", "hind read as rear"],
        ),
        (
            {
                "options": ["A. Leftfront", "B. Rightfront", "C. Leftrear", "D. Rightrear"],
                "answer": "B",
            },
            "right front",
            ["words without a space"],
        ),
        (
            {
                "options": ["A. Front left", "B. Front right", "C. Rear left", "D. Rear right"],
                "answer": "C",
            },
            "left rear",
            ["end before side"],
        ),
        ({"options": ["Left", "Right"]}, "left", ["option without a letter"]),
        ({"answer": "B. Right"}, "right", ["answer in words"]),
        ({"options": ["A. Right", "B. Left"], "answer": "A"}, "right", []),
    ],
)
def test_quirks_are_read_and_named(
    tmp_path: Path, changes: dict[str, Any], answer: str, quirks: list[str]
) -> None:
    folder(tmp_path, row(**changes))
    (one,) = read_split(str(tmp_path), "test", "here").rows
    assert (one.answer, list(one.quirks)) == (answer, quirks)


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("{", "Expecting property name"),
        ('{"image": "a.jpg"}', "without question, options, answer"),
        (row(options=["A. Up", "B. Down"]), "A. Up"),
        (row(options=["A. Left", "B. Left"]), "B. Left"),
        (row(answer="C"), "answer 'C'"),
        (row(answer="A. Right"), "answer 'A. Right'"),
        (row("../secret.jpg"), "image '../secret.jpg'"),
        (row(question=" "), "question ' '"),
        (row(label=["RFC"]), "label ['RFC']"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: Any, got: str) -> None:
    folder(tmp_path, row(), line, pictures=False)
    with pytest.raises(SweepError) as raised:
        read_split(str(tmp_path), "test", "here")
    assert raised.value.where.endswith("test.jsonl, line 2")
    assert got in raised.value.got


def test_a_label_of_a_row_is_kept_and_changes_no_other_row(tmp_path: Path) -> None:
    (plain, _) = episodes(folder(tmp_path / "a", row(), row("human_ear2.jpg")))
    (same, labelled) = episodes(folder(tmp_path / "b", row(), row("human_ear2.jpg", label="RFC")))
    assert labelled.given["label"] == "RFC"
    assert (same.episode_id, same.given) == (plain.episode_id, plain.given)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    folder(tmp_path, row())
    file = tmp_path / "Dataset" / "vqa_files" / "test.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SweepError) as raised:
        read_split(str(tmp_path), "test", "here")
    assert str(file) in raised.value.where


def test_missing_pictures_are_counted_and_their_place_is_told(tmp_path: Path) -> None:
    folder(tmp_path, *(row(f"human_ear{i}.jpg") for i in range(8)), pictures=False)
    with pytest.raises(SweepError) as raised:
        episodes(tmp_path, seeds=8)
    assert raised.value.got.startswith("8 of 8 pictures are missing: human_ear0.jpg (line 1)")
    assert raised.value.got.endswith("and 3 more")
    assert str((tmp_path / "Dataset" / "images").resolve()) in raised.value.fix


def test_without_pictures_the_questions_can_still_be_asked(tmp_path: Path) -> None:
    folder(tmp_path, row(), row("cat1.jpg", options=LEGS), pictures=False)
    assert [one.given["picture"] for one in episodes(tmp_path, text_only=True)] == [None, None]


def test_each_row_is_an_episode_with_its_picture(tmp_path: Path) -> None:
    folder(tmp_path, row(), row("cat1.jpg", "B", options=LEGS))
    first, second = episodes(tmp_path)
    assert (first.scene_seed, second.scene_seed) == (0, 1)
    assert (second.given["kind"], second.given["answer"]) == ("animal", "right front")
    (view,) = next(play(second, second.rng())).views
    assert isinstance(view, FileView)
    assert (view.width_px, view.height_px) == (8, 6)
    assert Path(view.path).read_bytes() == (tmp_path / "Dataset/images/cat1.jpg").read_bytes()


def test_a_moved_folder_makes_no_other_episodes_but_another_picture_does(tmp_path: Path) -> None:
    training = [row(f"human_ear{i}.jpg") for i in range(4)]
    folder(tmp_path / "here", *training, split="train")
    folder(tmp_path / "here", *training[:2])
    before = episodes(tmp_path / "here", shots=2)
    (tmp_path / "here").rename(tmp_path / "there")
    after = episodes(tmp_path / "there", shots=2)
    assert [one.episode_id for one in after] == [one.episode_id for one in before]
    for one in after:
        views = next(play(one, one.rng())).views
        assert len(views) == 3
        assert all(str(tmp_path / "there") in view.path for view in views)  # type: ignore[attr-defined]
    picture = tmp_path / "there" / "Dataset" / "images" / "human_ear0.jpg"
    Image.fromarray(np.full((6, 8, 3), 200, np.uint8)).save(picture)
    assert episodes(tmp_path / "there")[0].episode_id != before[0].episode_id


def test_there_must_be_as_many_examples_as_are_asked_for(tmp_path: Path) -> None:
    folder(tmp_path, row(), row("human_ear2.jpg"), split="train")
    folder(tmp_path, row())
    assert len(episodes(tmp_path, seeds=1, shots=1)) == 1
    with pytest.raises(SweepError, match="ask with fewer shots"):
        episodes(tmp_path, seeds=1, shots=2)


def test_examples_are_the_training_splits_and_the_rows_alone_decide(tmp_path: Path) -> None:
    training = [row(f"human_ear{i}.jpg") for i in range(20)]
    folder(tmp_path, *training, split="train")
    folder(tmp_path, *training[:3])
    three = {one.scene_seed: one.given["examples"] for one in episodes(tmp_path, seeds=3, shots=3)}
    (alone,) = episodes(tmp_path, seeds=[0], shots=3)
    (fewer,) = episodes(tmp_path, seeds=[0], shots=1)
    assert alone.given["examples"] == three[0] != three[1]
    assert fewer.given["examples"] == three[0][:1]
    for seed, examples in three.items():
        names = {example["name"] for example in examples}
        assert len(names) == 3
        assert f"human_ear{seed}.jpg" not in names
        assert all(len(example["picture"]["sha256"]) == 64 for example in examples)


@pytest.mark.parametrize(
    ("root", "seeds", "got"), [("", 1, "nothing"), ("nowhere", 1, "nowhere"), (None, 5, "row 2")]
)
def test_what_is_not_there_is_told(tmp_path: Path, root: str | None, seeds: int, got: str) -> None:
    folder(tmp_path, row(), row("human_ear2.jpg"))
    with pytest.raises(SweepError) as raised:
        episodes(tmp_path if root is None else root, seeds=seeds)
    assert got in raised.value.got


def test_the_published_folder() -> None:
    if not PUBLISHED.is_dir():
        pytest.skip("the public data set is not here")
    rows = read_split(str(PUBLISHED), "test", "here").rows
    two = sum(len(one.options) == 2 for one in rows)
    assert len(rows) == 1_107
    # The source's chance level: 43.7 %.
    assert (two / 2 + (len(rows) - two) / 4) / len(rows) == pytest.approx(0.437, abs=5e-4)
