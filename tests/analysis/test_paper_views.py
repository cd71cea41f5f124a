"""What the papers state stands beside what a run holds."""

from pathlib import Path

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import Answered, write_flipset_run
from support.analysis.synthetic_runs import Played, moments, write_run


def test_all_of_flipsets_instances_are_the_papers(tmp_path: Path) -> None:
    run = write_flipset_run(tmp_path, [Answered("correct", scene_seed=seed) for seed in range(336)])
    with open_run(run, hold=True) as connection:
        design = connection.execute(
            "select family, quantity, estimate, reference from paper.design"
        ).fetchall()
        letters = connection.execute(
            "select metric, estimate, reference from paper.flipset "
            "where starts_with(metric, 'always')"
        ).fetchall()
        results = connection.execute(
            "select count(*), count(reference) from paper.flipset where metric = 'accuracy'"
        ).fetchone()
    assert len(design) == 4 + 9
    assert {family for family, *_ in design} == {"flipset"}
    for _, quantity, estimate, reference in design:
        assert estimate == pytest.approx(reference), quantity
    assert len(letters) == 8
    for metric, estimate, reference in letters:
        assert estimate == pytest.approx(reference), metric
    # What the paper's models scored is not known: never a made-up figure.
    assert results == (1, 0)


def test_selfid_without_a_mirror_is_zero_in_the_paper_and_undefined_here(tmp_path: Path) -> None:
    played = Played(moments("w blue 0", "done red 0 red"), condition="E2")
    with open_run(write_run(tmp_path, [played]), hold=True) as connection:
        rows = connection.execute(
            "select metric, estimate, reference, n_reference from paper.selfid "
            "where reference is not null or metric = 'tsa' order by metric"
        ).fetchall()
        cells = connection.execute(
            "select estimate, reference from paper.design where quantity = 'episodes'"
        ).fetchone()
    assert [(metric, reference, n) for metric, _, reference, n in rows] == [
        ("arsc", 0.0, 21),
        ("mcr", 0.0, 21),
        ("mgd", 0.0, 21),
        ("tsa", None, 21),
    ]
    assert cells == (1.0, 840.0)
