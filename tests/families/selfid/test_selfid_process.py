"""Where an episode fails: funnel, class of failure, confusion, conflict, repetition, by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Moment, Played, moments, write_run
from support.whole import mostly_thorough


def process(directory: Path, *played: Played, **variables: Any) -> list[dict[str, Any]]:
    """Rows of episode.selfid_process, in the order given."""
    placed = [replace(episode, scene_seed=scene) for scene, episode in enumerate(played)]
    with open_run(write_run(directory, placed), variables=variables) as connection:
        cursor = connection.execute("from episode.selfid_process order by scene_seed")
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def walk(*texts: str, at: tuple[float, ...] | None = None) -> Played:
    """The own cube is red and stands at x = 0, blue at 2, green at 4; the ego at `at`, else 3."""
    parsed = moments(*texts)
    return Played(
        tuple(
            replace(moment, x_m=x_m)
            for moment, x_m in zip(parsed, at or (3.0,) * len(parsed), strict=True)
        )
    )


# The truth is red; evidence from 50 px on. (saw, named, named_right, walked, chose_right), depth.
FUNNEL = {
    "all the way": (
        walk("w unknown 60", "w red 60", "done red 0 red", at=(3.0, 3.0, 0.5)),
        (True, True, True, True, True, 5),
    ),
    "nearer, not near": (
        walk("w red 60", "w red 0", "done red 0 blue", at=(3.0, 2.5, 2.5)),
        (True, True, True, True, False, 4),
    ),
    "stays where it knew": (walk("w red 60", "done red 0 red"), (True, True, True, False, True, 3)),
    "names the right colour before it sees, none after": (
        walk("w red 0", "w unknown 60", "done unknown 0 red"),
        (True, False, False, False, True, 1),
    ),
    "names the wrong colour": (
        walk("w unknown 60", "w blue 0", "done blue 0 blue"),
        (True, True, False, False, False, 2),
    ),
    "right by luck": (
        walk("w unknown 0", "done unknown 0 red", at=(1.0, 1.0)),
        (False, False, False, True, True, 0),
    ),
}


def test_the_funnel(tmp_path: Path) -> None:
    rows = process(tmp_path, *(played for played, _ in FUNNEL.values()))
    columns = ("saw", "named", "named_right", "walked", "chose_right", "funnel_depth")
    got = {name: tuple(row[c] for c in columns) for name, row in zip(FUNNEL, rows, strict=True)}
    assert got == {name: expected for name, (_, expected) in FUNNEL.items()}


def test_near_is_a_parameter_and_without_cubes_nothing_is_walked_to(tmp_path: Path) -> None:
    luck = walk("w unknown 0", "done unknown 0 red", at=(1.0, 1.0))
    open_ended = replace(walk("w red 60", "done red 60"), condition="E5", cubes=())
    near, free = process(tmp_path, luck, open_ended, near_radius_m=0.9)
    assert near["walked"] is False
    assert (free["walked"], free["answer"], free["funnel_depth"]) == (None, "red", 5)


FAILURES = {
    "right": (walk("w red 60", "done red 0 red"), None),
    "never finished, though it never looked": (walk("w unknown 0"), "never finished"),
    "never looked": (walk("w blue 0", "done blue 0 blue"), "never looked"),
    "looked at the last moment only": (walk("w blue 0", "done blue 60 blue"), "never looked"),
    "knew, took the wrong cube": (walk("w red 60", "done red 0 blue"), "knew but acted wrong"),
    "knew, took none": (walk("w red 60", "done red 0 none"), "knew but acted wrong"),
    "guessed": (walk("w blue 0", "w blue 60", "done blue 0 blue"), "guessed before looking"),
    "guessed, then another": (
        walk("w blue 0", "w green 60", "done green 0 green"),
        "looked but not extracted",
    ),
    "saw, said the wrong": (walk("w unknown 60", "done blue 0 blue"), "looked but not extracted"),
    "saw, took none": (walk("w unknown 60", "done unknown 0 none"), "looked but not extracted"),
}


WITHOUT_A_MIRROR = {
    "right by chance": (walk("w unknown 0", "done red 0 red"), None),
    "never finished": (walk("w blue 0"), "never finished"),
    "took a cube": (walk("w unknown 0", "done blue 0 blue"), "guessed without a mirror"),
    "took a cube, said nothing": (walk("done unknown 0 green"), "guessed without a mirror"),
    "took none": (walk("w blue 0", "done blue 0 none"), "chose nothing"),
    "said the own colour, took another cube": (
        walk("w red 0", "done red 0 blue"),
        "guessed right but acted wrong",
    ),
}


def test_without_a_mirror_no_failure_is_about_looking_and_there_is_no_funnel(
    tmp_path: Path,
) -> None:
    played = [replace(episode, condition="E2") for episode, _ in WITHOUT_A_MIRROR.values()]
    rows = process(tmp_path, *played)
    got = {name: row["failure"] for name, row in zip(WITHOUT_A_MIRROR, rows, strict=True)}
    assert got == {name: expected for name, (_, expected) in WITHOUT_A_MIRROR.items()}
    for row in rows:
        undefined = [row[name] for name in ("saw", "named", "named_right", "funnel_depth")]
        assert undefined == [None] * 4
    with open_run(str(tmp_path)) as connection:
        scores = connection.execute(
            "select distinct mcr, coalesce(mtato, 0), mgd, arsc from episode.selfid"
        ).fetchall()
        shares = dict(
            connection.execute(
                "select metric, estimate from metric.selfid_process"
                " where starts_with(metric, 'f') and condition = 'E2'"
            ).fetchall()
        )
    assert scores == [(0, 0, 0, 0)]
    assert shares["failure_no_mirror_guessed"] == pytest.approx(2 / 6)
    assert shares["failure_never_looked"] == 0
    assert {shares[name] for name in shares if name.startswith("funnel")} == {None}


def test_classes_of_failure(tmp_path: Path) -> None:
    rows = process(tmp_path, *(played for played, _ in FAILURES.values()))
    got = {name: row["failure"] for name, row in zip(FAILURES, rows, strict=True)}
    assert got == {name: expected for name, (_, expected) in FAILURES.items()}


def among_others(*steps: tuple[str, list[int], list[int]]) -> Played:
    """(moment, pixels of each other in the room, and in the mirror); others green, blue, blue."""
    return Played(
        tuple(
            replace(moment, says_otherwise={"other_px": direct, "other_reflection_px": reflected})
            for text, direct, reflected in steps
            for moment in moments(text)
        ),
        condition="E4",
        says_otherwise={"other_colors": ["green", "blue", "blue"], "n_others": 3},
    )


@pytest.mark.parametrize(
    ("steps", "expected"),
    mostly_thorough(2, [
        # Two are blue: the third filled most of a frame, in the mirror.
        (
            [("w unknown 60", [9_000, 60, 0], [0, 0, 700]), ("done blue 0 blue", [0] * 3, [0] * 3)],
            ("took another for self", 3, "blue", "both"),
        ),
        (
            [("w unknown 60", [0, 60, 0], [0, 0, 20]), ("done blue 0 blue", [0] * 3, [0] * 3)],
            ("took another for self", 2, "blue", "room"),
        ),
        # Blue bodies are there, but too small to be seen.
        (
            [("w unknown 60", [900, 40, 0], [0, 0, 49]), ("done blue 0 blue", [0] * 3, [0] * 3)],
            ("looked but not extracted", None, None, None),
        ),
        # What it guessed is another's colour: the other explains it better than the guess.
        (
            [("w blue 0", [0, 0, 0], [0, 50, 0]), ("w blue 60", [0] * 3, [0] * 3),
             ("done blue 0 blue", [0] * 3, [0] * 3)],
            ("took another for self", 2, "blue", "mirror"),
        ),
        (
            [("w red 60", [0, 500, 0], [0, 500, 0]), ("done red 0 red", [0] * 3, [0] * 3)],
            (None, None, None, None),
        ),
    ]),
)  # fmt: skip
def test_whom_it_took_for_itself(steps: Any, expected: tuple[Any, ...], tmp_path: Path) -> None:
    (row,) = process(tmp_path, among_others(*steps))
    columns = ("failure", "taken_other", "taken_color", "taken_seen")
    assert tuple(row[column] for column in columns) == expected


def test_whom_the_answer_followed(tmp_path: Path) -> None:
    def lied(*texts: str) -> Played:
        return replace(walk(*texts), condition="E3", says_otherwise={"wrong_color": "blue"})

    rows = process(
        tmp_path,
        lied("w blue 60", "done blue 60 blue"),
        lied("w red 60", "done red 60 red"),
        lied("w red 60", "done red 60 green"),
        lied("w blue 60"),
        replace(lied("w blue 60"), error_kind="server"),
        walk("w blue 60", "done blue 60 blue"),
    )
    assert [row["conflict"] for row in rows] == ["lie", "mirror", "neither", "neither", None, None]


REPETITION = {
    "nothing said": (("w unknown 0", "done unknown 0 red"), (0, 0, 0, None, None)),
    "once": (("w unknown 0", "done red 0 red"), (1, 0, 1, "red", True)),
    "held": (("w red 0", "w unknown 0", "w red 0", "done red 0 red"), (3, 0, 3, "red", True)),
    "changed": (("w red 0", "w blue 0", "w red 0", "w green 0"), (4, 3, 1, "green", False)),
    "settled": (("w blue 0", "w red 0", "done red 0 red"), (3, 1, 2, "red", True)),
}


def test_repeated_statements(tmp_path: Path) -> None:
    rows = process(tmp_path, *(walk(*texts) for texts, _ in REPETITION.values()))
    columns = ("n_statements", "n_changes", "n_repeats", "last_statement", "last_is_right")
    got = {name: tuple(r[c] for c in columns) for name, r in zip(REPETITION, rows, strict=True)}
    assert got == {name: expected for name, (_, expected) in REPETITION.items()}


def test_rates_have_denominators_and_bounds(tmp_path: Path) -> None:
    played = [
        *[episode for episode, _ in FAILURES.values()],
        replace(walk("w red 0"), error_kind="timeout"),
    ]
    placed = [replace(episode, scene_seed=scene) for scene, episode in enumerate(played)]
    with open_run(write_run(tmp_path, placed)) as connection:
        rows = connection.execute(
            "select metric, n, estimate, n_failed, low_if_failed, high_if_failed, ci_low "
            "from metric.selfid_process"
        ).fetchall()
    got = {metric: values for metric, *values in rows}
    assert got["failure_guessed"][:3] == [10, 0.1, 1]
    assert got["failure_guessed"][3:5] == [pytest.approx(1 / 11), pytest.approx(2 / 11)]
    assert sum(got[f"failure_{kind}"][1] for kind in (
        "never_finished", "never_looked", "knew", "took_other", "guessed", "not_extracted",
    )) == pytest.approx(0.9)  # fmt: skip
    # Nobody lied: there is nothing to be a share of.
    assert got["conflict_lie"] == [0, None, 1, None, None, None]
    assert got["changed"][:2] == [8, pytest.approx(1 / 8)]


def test_a_step_without_a_reply_names_nothing(tmp_path: Path) -> None:
    (row,) = process(tmp_path, Played((Moment(None, None, 60), Moment("done", "red", 0, "red"))))
    assert (row["named"], row["n_statements"]) == (True, 1)


def test_the_order_of_rows_in_a_shard_does_not_matter(tmp_path: Path) -> None:
    texts = ("w red 0", "w blue 60", "w red 0", "w red 0", "w blue 0", "done red 0 blue")
    episode = walk(*texts, at=(4.0, 3.5, 3.0, 2.5, 2.0, 2.0))
    (straight,) = process(tmp_path, episode)
    (shard,) = tmp_path.glob("steps/**/*.parquet")
    steps = pq.ParquetFile(shard).read()
    pq.write_table(steps.take([4, 0, 5, 2, 1, 3]), shard)
    with open_run(str(tmp_path)) as connection:
        (shuffled,) = connection.sql("from episode.selfid_process").to_arrow_table().to_pylist()
    assert shuffled == straight
    assert (straight["n_changes"], straight["n_repeats"], straight["walked"]) == (4, 1, True)
