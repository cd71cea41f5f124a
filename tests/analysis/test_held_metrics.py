"""A view's rows of some metrics, worked out once: the view says what it said before."""

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis.held import hold_metrics
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import varied_answers, write_flipset_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

VIEWS = ("twin.scores", "contrast.pairs", "contrast.pairs_tied")


@pytest.fixture
def run(tmp_path: Path) -> str:
    right = Played(moments("w blue 0", "w red 80", "done red 0 red"))
    wrong = replace(right, model="scripted/mute", moments=moments("w blue 60", "w blue 200"))
    write_flipset_run(tmp_path, varied_answers())
    return write_run(tmp_path, [*scenes(right, 3), *scenes(wrong, 3)])


def rows(connection: duckdb.DuckDBPyConnection, view: str, where: str) -> list[tuple[object, ...]]:
    """Sorted; sums depend on the order of threads in their last digits."""
    found = connection.execute(f"from {view} where {where}").fetchall()
    plain = [
        tuple(round(one, 9) if isinstance(one, float) else one for one in row) for row in found
    ]
    return sorted(plain, key=repr)


def test_what_is_held_is_what_the_views_say(run: str) -> None:
    metrics = {"selfid": "tsa", "flipset": "accuracy"}
    with open_run(run, hold=True) as fresh, open_run(run, hold=True) as at:
        tables = hold_metrics(at, VIEWS, metrics)
        assert [*tables] == [*VIEWS]
        for view, table in tables.items():
            asked = " or ".join(
                f"(family = '{family}' and metric = '{metric}')"
                for family, metric in metrics.items()
            )
            expected = rows(fresh, view, asked)
            assert {row for row in expected if "selfid" in row}
            assert rows(at, table, "true") == expected
            # The view has all the others still.
            for where in ("true", "metric = 'ttd'", "family = 'flipset'"):
                assert rows(at, view, where) == rows(fresh, view, where)
        reading = Reading(at, held=tables)
        _, first, second = tables.values()
        assert reading.leading("from contrast.pairs_tied, contrast.pairs") == (
            f"from {second}, {first}"
        )
        assert Reading(at).leading("from contrast.pairs") == "from contrast.pairs"
