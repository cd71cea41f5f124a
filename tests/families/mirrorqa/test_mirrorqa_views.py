"""metric.mirrorqa_views: accuracy by what a picture shows, counted by hand."""

from pathlib import Path

from support.analysis.mirrorqa_runs import Asked, mirrorqa_rows


def test_hidden_limbs_and_azimuths_have_levels(tmp_path: Path) -> None:
    rows = mirrorqa_rows(
        tmp_path,
        [Asked("left", ("left",))] * 5,
        "select axis, level, n from metric.mirrorqa_views order by all",
    )
    levels = {(row["axis"], row["level"]): row["n"] for row in rows}
    assert levels[("azimuth", "0–30°")] == levels[("hidden", "25–50 %")] == 5
    assert levels[("part", "human hand")] == 5


def test_photographs_by_species_part_and_scene(tmp_path: Path) -> None:
    questions = [
        Asked("left rear", ("left rear",), "data", "m", 0, "animal", image="horse048.jpg",
              asks="Which leg of the zebra is the most forward?"),
        Asked("left", ("right",), "data", "m", 1, "animal", image="animal_ear028.jpg",
              asks="Which ear of the cow has the tag?"),
        Asked("left", ("left",), "data", "m", 2, image="human_lower_limb0932.jpg",
              asks="Which foot of the surfer is in front?"),
        Asked("right", ("left",), "data", "m", 3, image="human_ear_earring102.jpg",
              asks="Which ear of the woman is wearing an earring?"),
    ]  # fmt: skip
    rows = mirrorqa_rows(tmp_path, questions, "from metric.mirrorqa_views where axis in "
                "('species', 'photo part', 'scene')")  # fmt: skip
    assert {(row["axis"], row["level"]): row["estimate"] for row in rows} == {
        ("species", "horse"): 1,
        ("species", "ear"): 0,
        ("photo part", "animal leg"): 1,
        ("photo part", "animal ear"): 0,
        ("photo part", "human lower limb"): 1,
        ("photo part", "human ear earring"): 0,
        ("scene", "sport"): 1,
        ("scene", "no sport named"): 0,
    }


def test_labels_of_rows(tmp_path: Path) -> None:
    questions = [
        Asked("left", (said,), "data", label=label)
        for said, label in (("left", "RFC"), ("right", "RFC"), ("left", "BPM"), ("left", None))
    ]
    rows = mirrorqa_rows(tmp_path, questions, "from metric.mirrorqa_views where axis = 'label'")
    assert {row["level"]: (row["n"], row["estimate"]) for row in rows} == {
        "RFC": (2, 0.5),
        "BPM": (1, 1),
    }


def test_sizes_of_subjects(tmp_path: Path) -> None:
    rows = mirrorqa_rows(
        tmp_path, [Asked("left", ("left",))], "from metric.mirrorqa_views where axis = 'size'"
    )
    assert [(row["level"], row["n"]) for row in rows] == [("40–60 %", 1)]
