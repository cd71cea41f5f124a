"""dyad's views against numbers worked out by hand, and its section of the report."""

from dataclasses import replace
from pathlib import Path

import pytest
from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Figure, ReportTable
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.dyad.sections import SECTIONS
from support.analysis.dyad_runs import (
    OTHER,
    OWN,
    SAW_ITSELF,
    SAW_THE_OTHER,
    THIRD,
    Shared,
    Turn,
    chose,
    varied_rooms,
    write_dyad_run,
)

# One row each: episode, and its scores (None: not defined).
SCORED: list[tuple[Shared, dict[str, int | None]]] = [
    (
        Shared((SAW_ITSELF, chose(OWN)), (chose(OTHER),)),
        {"correct": 1, "took_other": 0, "took_neither": 0, "no_choice": 0, "looked": 1}
        | {"met_other": 0, "same_choice": 0, "said_other": 0, "followed": None, "copied": None},
    ),
    (
        Shared((SAW_THE_OTHER, chose(OTHER)), (chose(OTHER),)),
        {"correct": 0, "took_other": 1, "looked": 0, "met_other": 1, "same_choice": 1},
    ),
    (Shared((chose(THIRD),), (Turn(),)), {"took_neither": 1, "took_other": 0, "same_choice": None}),
    (Shared((Turn(), Turn()), (chose(OWN),)), {"correct": 0, "no_choice": 1, "same_choice": None}),
    # What it sees at done comes too late; a colour that no cube has is no choice.
    (Shared((chose(OWN, own_image_px=900, other_px=900),), ()), {"looked": 0, "met_other": 0}),
    (Shared((chose("pink"),), ()), {"no_choice": 1, "correct": 0}),
    (Shared((Turn(identification="I am blue"), chose(OWN)), ()), {"correct": 1, "said_other": 1}),
    (Shared((SAW_ITSELF, chose(OWN)), (), "no-mirror"), {"looked": None, "correct": 1}),
    # One colour for both: who takes the other for itself is right as well, and nothing tells.
    (Shared((chose(OWN),), (), "alike"), {"correct": 1, "took_other": None, "said_other": None}),
    (Shared((chose(THIRD),), (), "alike"), {"correct": 0, "took_neither": 1}),
    (Shared((chose(OTHER),), (), "still"), {"took_other": 1, "same_choice": None}),
    (
        Shared((chose(OWN, heard_of_own=OWN, heard_of_other=OTHER, tell=OTHER),), (), "talk"),
        {"followed": 1, "misled": None, "copied": 0, "told_truth": 1},
    ),
    (
        Shared((chose(THIRD, heard_of_own=THIRD, tell=OWN),), (), "talk"),
        {"followed": 1, "misled": 1, "copied": None, "told_truth": 0},
    ),
    (
        Shared((chose(OTHER, heard_of_own=THIRD, heard_of_other=OTHER, tell="none"),), (), "talk"),
        {"followed": 0, "misled": 0, "copied": 1, "told_truth": None},
    ),
    # The last word counts: of what was told, and of what was heard.
    (
        Shared(
            (Turn(tell=OWN, heard_of_own=THIRD), chose(OWN, tell=OTHER, heard_of_own=OWN)),
            (),
            "talk",
        ),
        {"misled": None, "followed": 1, "told_truth": 1},
    ),
    (
        Shared((chose(OWN),), (chose(OTHER),), error_kind="server"),
        dict.fromkeys(("correct", "took_other", "no_choice", "looked", "met_other", "same_choice")),
    ),
]


def test_an_episode_scores_what_its_subject_comes_to(tmp_path: Path) -> None:
    rooms = [replace(shared, scene_seed=place) for place, (shared, _) in enumerate(SCORED)]
    with open_run(write_dyad_run(tmp_path, rooms), hold=True) as connection:
        for place, (shared, scores) in enumerate(SCORED):
            row = connection.execute(
                f"select {', '.join(scores)} from episode.dyad where scene_seed = {place}"  # noqa: S608
            ).fetchone()
            assert row is not None
            assert dict(zip(scores, row, strict=True)) == scores, shared


def test_the_cross_table_counts_both_minds_of_a_room_and_scenes_once(tmp_path: Path) -> None:
    rooms = [
        # a beside b, and b beside a, in two scenes: a knows itself in three of four, b never.
        Shared((chose(OWN),), (chose(OWN),), "mirror", "lab/a", "lab/b", 0),
        Shared((chose(OWN),), (chose(OWN),), "mirror", "lab/a", "lab/b", 1),
        Shared((chose(OTHER),), (chose(OTHER),), "mirror", "lab/b", "lab/a", 0),
        Shared((chose(OTHER),), (chose(OWN),), "mirror", "lab/b", "lab/a", 1),
        # a beside itself in one scene: one of the two is wrong.
        Shared((chose(OWN),), (chose(THIRD),), "mirror", "lab/a", "lab/a", 0),
    ]
    with open_run(write_dyad_run(tmp_path, rooms), hold=True) as connection:
        rows = connection.execute(
            "select model, beside, choice, n, n_sides, estimate from metric.dyad_pairs"
            " where estimate > 0 order by all"
        ).fetchall()
        turns = connection.execute(
            "select model, moves_first, n_sides, correct from metric.dyad_turns order by all"
        ).fetchall()
        subjects = connection.execute(
            "select model, variant, estimate from metric.dyad where metric = 'correct' order by all"
        ).fetchall()
    assert rows == [
        ("lab/a", "lab/a", "neither", 1, 2, 0.5),
        ("lab/a", "lab/a", "own", 1, 2, 0.5),
        ("lab/a", "lab/b", "other", 2, 4, 0.25),
        ("lab/a", "lab/b", "own", 2, 4, 0.75),
        ("lab/b", "lab/a", "other", 2, 4, 1.0),
    ]
    # Seeds with an even number begin with the subject: a moves first in its own scene 0, beside
    # itself in scene 0, and as b's partner in scene 1.
    assert turns == [
        ("lab/a", False, 3, 2 / 3),
        ("lab/a", True, 3, 2 / 3),
        ("lab/b", False, 2, 0.0),
        ("lab/b", True, 2, 0.0),
    ]
    assert subjects == [
        ("lab/a", "plain", 1.0),
        ("lab/a", "plain+partner=lab/b", 1.0),
        ("lab/b", "plain+partner=lab/a", 0.0),
    ]


BROKEN = {
    "without a mirror nothing is reflected": Shared((SAW_ITSELF, chose(OWN)), (), "no-mirror"),
    "who is done is asked no more": Shared((chose(OWN), Turn()), ()),
    "only where they talk anything is heard": Shared((chose(OWN, heard_of_own=OWN),), ()),
    "a body without a mind has no turns": Shared((chose(OWN),), (chose(OWN),), "still"),
    "what is heard is what the other told last": Shared(
        (Turn(), chose(OWN, heard_of_own=OWN)), (Turn(tell=OTHER),), "talk"
    ),
}


def test_what_cannot_be_is_found_and_nothing_else(tmp_path: Path) -> None:
    rooms = [replace(one, scene_seed=100 + place) for place, one in enumerate(BROKEN.values())]
    run = write_dyad_run(tmp_path, [*varied_rooms(), *rooms])
    with open_run(run, hold=True) as connection:
        found = connection.execute(
            "select scene_seed, invariant from metric.dyad_violations"
            " inner join episode.dyad using (episode_id) order by scene_seed"
        ).fetchall()
    unsound = (9, "only where they talk anything is heard")
    assert found == [unsound, *((100 + place, name) for place, name in enumerate(BROKEN))]


def test_copies_of_a_scene_do_not_narrow_an_interval(tmp_path: Path) -> None:
    def width(rooms: list[Shared], folder: str) -> float:
        with open_run(write_dyad_run(tmp_path / folder, rooms), hold=True) as connection:
            row = connection.execute(
                "select ci_high - ci_low from metric.dyad_pairs"
                " where model = 'lab/a' and choice = 'own'"
            ).fetchone()
        assert row is not None
        return float(row[0])

    once = [
        Shared((chose(OWN if seed % 2 else OTHER),), (chose(OTHER),), scene_seed=seed, beside="b")
        for seed in range(6)
    ]
    # Beside itself it is there twice in each scene, and says the same twice.
    twice = [
        Shared((chose((OTHER, OWN)[seed % 2]),), (chose((OWN, OTHER)[seed % 2]),), scene_seed=seed)
        for seed in range(6)
    ]
    assert width(twice, "twice") == pytest.approx(width(once, "once"))


def test_every_choice_has_a_colour_and_every_metric_a_column(tmp_path: Path) -> None:
    run = write_dyad_run(tmp_path, varied_rooms())
    with open_run(run, hold=True) as connection:
        section = SECTIONS[0](Reading(connection))
        assert section is not None
        figures = [part for part in section.parts if isinstance(part, Figure)]
        tables = {part.name: part for part in section.parts if isinstance(part, ReportTable)}
        assert [figure.name for figure in figures] == [
            "dyad_choices",
            "dyad_cross_other",
            "dyad_cross_own",
        ]
        said = shipped_yaml("mirror_ray.families.dyad.sections", "section.yaml")
        kinds = {row[2] for row in connection.execute(figures[0].sql).fetchall()}
        assert kinds == set(said["parts"]["dyad_choices"]["chart"]["kinds"])
        assert all(vegalite_to_vega(figure.chart) for figure in figures)
        assert len(tables["dyad_summary"].columns) == 1 + len(METRICS["dyad"].metrics)
        assert set(tables) == {"dyad_pairs", "dyad_turns", "dyad_summary"}
    empty = tmp_path / "empty"
    with open_run(write_dyad_run(empty, []), hold=True) as connection:
        assert SECTIONS[0](Reading(connection)) is None
