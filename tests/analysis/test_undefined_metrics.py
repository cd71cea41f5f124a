"""Metrics that need a mirror are undefined only where a view says that there was none."""

from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.analysis import undefined_metrics
from mirror_ray.analysis.undefined_metrics import is_here, without_mirror
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metric import FamilyMetrics, Metric
from mirror_ray.contract.metrics import METRICS
from support.analysis.flipset_runs import varied_answers, write_flipset_run
from support.analysis.synthetic_runs import Played, moments, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"))


def test_a_condition_without_a_mirror_lacks_what_needs_one(tmp_path: Path) -> None:
    run = write_run(tmp_path, [RIGHT, replace(RIGHT, condition="E2")])
    with open_run(run) as connection:
        found = without_mirror(connection)
    assert found == {("selfid", "E2")}
    needing = [one.name for one in METRICS["selfid"].metrics if one.needs_mirror]
    assert not any(is_here("selfid", name, "E2", found) for name in needing)
    assert is_here("selfid", "tsa", "E2", found)
    assert all(is_here("selfid", name, "E1", found) for name in needing)


def test_a_view_that_says_nothing_of_mirrors_breaks_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = FamilyMetrics((Metric("accuracy", needs_mirror=True),))
    monkeypatch.setattr(undefined_metrics, "METRICS", {"flipset": needs})
    write_flipset_run(tmp_path, varied_answers())
    with open_run(str(tmp_path)) as connection:
        assert without_mirror(connection) == set()
