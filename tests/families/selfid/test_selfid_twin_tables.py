"""Pairs of a scene and its twin, by hand, and doses as they are told apart."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, write_run
from support.whole import mostly_thorough

RED = Played(moments("w unknown 60", "done red 0 red"))
BODY, PLACES = "body_color=third", "cube_places=swapped"


def twin(what: str, *texts: str, **changes: Any) -> Played:
    """The scene again with a green body, or with green where red stood."""
    name, _, value = what.partition("=")
    return replace(
        RED,
        moments=moments(*texts),
        variant=f"paper+{what}",
        truth="green" if what == BODY else "red",
        cubes=("red", "blue", "green") if what == BODY else ("green", "blue", "red"),
        says_otherwise={name: value},
        **changes,
    )


def rows(directory: Path, played: list[Played], query: str) -> list[tuple[Any, ...]]:
    with open_run(write_run(directory, played)) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.parametrize(
    ("other", "expected"),
    mostly_thorough(
        3,
        [
            (twin(BODY, "done green 60 green"), ("body_color", 1, 1, 0, 0)),
            (twin(BODY, "done red 60 red"), ("body_color", 1, 0, 1, 0)),
            (twin(BODY, "done blue 60 blue"), ("body_color", 1, 0, 0, 1)),
            (twin(BODY, "w green 60"), ("body_color", 1, 0, 0, 1)),
            (twin(PLACES, "done red 60 red"), ("cube_places", 1, 1, 0, 0)),
            (twin(PLACES, "done green 60 green"), ("cube_places", 1, 0, 1, 0)),
            (twin(PLACES, "done blue 60 blue"), ("cube_places", 1, 0, 0, 1)),
        ],
    ),
)
def test_whether_a_choice_follows_the_body(
    other: Played, expected: tuple[Any, ...], tmp_path: Path
) -> None:
    query = "select twin, n, n_followed, n_stayed, n_elsewhere from metric.selfid_twins"
    assert rows(tmp_path, [RED, other], query) == [expected]


def test_chance_is_a_guess_among_the_cubes_in_each(tmp_path: Path) -> None:
    """Three cubes: right in both in 1 of 9 guesses, the same in both in 1 of 3."""
    query = "select followed_chance, stayed_chance from metric.selfid_twins"
    [(followed, stayed)] = rows(tmp_path, [RED, twin(BODY, "done green 60 green")], query)
    assert (followed, stayed) == (pytest.approx(1 / 9), pytest.approx(1 / 3))


def test_a_failed_twin_makes_no_pair(tmp_path: Path) -> None:
    failed = twin(BODY, "w red 60", error_kind="server")
    assert rows(tmp_path, [RED, failed], "from metric.selfid_twins") == []


def test_a_dose_has_the_perfect_mirror_in_every_curve(tmp_path: Path) -> None:
    def dosed(axis: str, level: float, cube: str, seed: int = 0) -> Played:
        return replace(
            RED,
            moments=moments("w unknown 60", f"done red 0 {cube}"),
            scene_seed=seed,
            variant=f"paper+{axis}={level:g}",
            says_otherwise={axis: level},
        )

    played = [
        RED,
        dosed("mirror_side_m", 0.5, "red"),
        dosed("mirror_side_m", 0.5, "blue", seed=1),
        dosed("mirror_cover", 0.9, "blue"),
    ]
    query = "select axis, level, setting, n, n_right, own_px from metric.selfid_doses order by all"
    assert rows(tmp_path, played, query) == [
        ("mirror_cover", 0.0, "paper", 1, 1, 60.0),
        ("mirror_cover", 0.9, "paper", 1, 0, 60.0),
        ("mirror_side_m", 0.5, "paper", 2, 1, 60.0),
        ("mirror_side_m", 2.0, "paper", 1, 1, 60.0),
    ]
