"""Rerun's recordings, read back by Rerun's own library."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.export import batches, rerun_recordings
from mirror_ray.analysis.export.rerun_recordings import write_recordings
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.core.types import Image
from support.analysis.synthetic_runs import Moment, Played, moments, scenes, write_run
from support.whole import mostly_thorough

SAID = {"system": "You are a robot.", "system_sha": "5", "user": "![x](http://x.example/a.png)",
        "reply": '{"a": "é"}', "x_m": 1.5, "y_m": -0.5, "yaw_deg": 90.0}  # fmt: skip
PLAYED = Played(
    (Moment("w", superseded=True), *moments("w unknown 60", "done red 61 red")),
    model="a/b:c",
    says_otherwise=SAID,
)
THREADS = Path("/proc/self/task")
PIXELS = b"\x89PNG of ours"


@dataclass(frozen=True)
class Shown:
    images: tuple[Image, ...]
    is_as_recorded: bool = True


def draw(episode_ids: Collection[str]) -> Iterator[tuple[str, Mapping[int, Shown]]]:
    for episode_id in episode_ids:
        yield episode_id, {2: Shown((Image(PIXELS, "png", 1, 1, "5"),) * 2)}


def chunks_of(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Entity → its rows, without Rerun's own columns."""
    from rerun.chunk import RrdReader

    found: dict[str, list[dict[str, Any]]] = {}
    for chunk in RrdReader(str(path)).stream():
        rows = chunk.to_record_batch().to_pylist()
        found.setdefault(chunk.entity_path, []).extend(
            {key: value for key, value in row.items() if "RowId" not in key} for row in rows
        )
    return found


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    run = write_run(tmp_path_factory.mktemp("run"), [PLAYED])
    (path,) = write_recordings(run, tmp_path_factory.mktemp("rrd"), draw)
    assert path.name == f"selfid_E1_a-b-c_{PLAYED.episode_id}.rrd"
    return chunks_of(path)


def test_words_stand_at_their_asks_and_are_no_markup(recording: Any) -> None:
    replies = recording["/words/reply"]
    assert [(row["ask"], row["step"], row["TextDocument:text"]) for row in replies] == [
        (1, 1, ['{"a": "é"}']),
        (2, 1, ['{"a": "é"}']),
        (3, 2, ['{"a": "é"}']),
    ]
    # A viewer would load a picture that a model names.
    assert all("TextDocument:media_type" not in row for row in recording["/words/user"])
    assert len(recording["/words/system"]) == 1, "it is equal in all asks"


def test_evidence_and_pose_are_the_rows(recording: Any) -> None:
    seen = recording["/evidence/ego_reflection_px"]
    assert [row["Scalars:scalars"] for row in seen][1:] == [[60.0], [61.0]]
    (arrow, *_) = recording["/world/ego"]
    assert arrow["Arrows3D:origins"] == [[1.5, -0.5, 0.0]]
    (vector,) = arrow["Arrows3D:vectors"]
    assert vector == pytest.approx([0.0, 0.5, 0.0])
    assert [row["TextLog:text"] for row in recording["/read/action"]] == [["w"], ["w"], ["done"]]


def test_pictures_stand_where_they_were_shown(recording: Any) -> None:
    for number in (1, 2):
        (row,) = recording[f"/frames/{number}"]
        assert row["ask"] == 2
        assert bytes(row["EncodedImage:blob"][0]) == PIXELS
        assert row["EncodedImage:media_type"] == ["image/png"]


def test_many_recordings_are_written_by_processes_that_take_so_many(
    recording: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rerun's streams leave threads behind, here none."""
    monkeypatch.setattr(rerun_recordings, "RECORDINGS_PER_PROCESS", 2)
    run = write_run(tmp_path / "run", scenes(PLAYED, 3))
    before = {path.name for path in THREADS.iterdir()}
    paths = write_recordings(run, tmp_path / "rrd", draw)
    assert {path.name for path in THREADS.iterdir()} - before == set()
    assert len({path.name for path in paths}) == 3
    for path in paths:
        found = chunks_of(path)
        said, expected = (
            [(row["ask"], row["TextDocument:text"]) for row in one["/words/reply"]]
            for one in (found, recording)
        )
        assert said == expected
        assert bytes(found["/frames/2"][0]["EncodedImage:blob"][0]) == PIXELS


@pytest.mark.thorough("the processes that write recordings, above")
def test_a_recording_that_cannot_be_written_is_no_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerun_recordings, "RECORDINGS_PER_PROCESS", 1)
    run = write_run(tmp_path / "run", scenes(PLAYED, 2))
    (tmp_path / "rrd" / f"selfid_E1_a-b-c_{PLAYED.episode_id}.rrd").mkdir(parents=True)
    with pytest.raises(Exception, match="rrd"):
        write_recordings(run, tmp_path / "rrd")


@pytest.mark.parametrize("most_asks", mostly_thorough(3, [7, 20_000, 1]))
def test_asks_of_several_cells_are_read_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_asks: int
) -> None:
    """Five cells of two episodes, three asks each: one has no more than seven."""
    played = [
        replace(one, says_otherwise=SAID | {"reply": f"{number}.{one.scene_seed}"})
        for number in range(5)
        for one in scenes(replace(PLAYED, model=f"lab/model-{number}"), 2)
    ]
    n_readings = []
    rows_by = rerun_recordings.rows_by

    def counted(run: Reading, sql: str, column: str, names: Sequence[str]) -> dict[str, list[Row]]:
        n_readings.append(len(names))
        return rows_by(run, sql, column, names)

    monkeypatch.setattr(rerun_recordings, "rows_by", counted)
    monkeypatch.setattr(batches, "MOST_ASKS", most_asks)
    paths = write_recordings(write_run(tmp_path / "run", played), tmp_path / "rrd")
    assert n_readings == ([5] if most_asks == 20_000 else [1] * 5)
    told = {}
    for path in paths:
        model = path.name.split("_")[2]
        replies = {row["TextDocument:text"][0] for row in chunks_of(path)["/words/reply"]}
        told.setdefault(model, []).append(replies)
    assert told == {
        f"lab-model-{number}": [{f"{number}.{scene}"} for scene in (0, 1)] for number in range(5)
    }


def test_an_episode_without_pictures_is_recorded_in_words(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [PLAYED])
    (path,) = write_recordings(run, tmp_path / "rrd")
    found = chunks_of(path)
    assert "/frames/1" not in found
    assert len(found["/words/reply"]) == 3
