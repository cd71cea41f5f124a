"""Scores worked out once on opening: the same rows, and not worked out again."""

from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.whole import mostly_thorough

RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))


@pytest.fixture
def run(tmp_path: Path) -> str:
    other = replace(RIGHT, model="scripted/mute", moments=moments("w blue 60", "w blue 200"))
    return write_run(tmp_path, [*scenes(RIGHT, 3), *scenes(other, 2)])


@pytest.mark.parametrize(
    "view", mostly_thorough(3, ["contrast.pairs", "metric.selfid", "metric.selfid_process"])
)
def test_every_view_says_what_it_says_unheld(view: str, run: str) -> None:
    query = f"from {view} order by all"
    chosen = {"mirror_px_threshold": 100}
    with open_run(run, variables=chosen) as fresh, open_run(run, variables=chosen, hold=True) as at:
        rows = fresh.execute(query).fetchall()
        assert rows
        assert at.execute(query).fetchall() == rows


def test_held_scores_outlive_their_shards(run: str) -> None:
    with open_run(run, hold=True, config={"threads": 1}) as held:
        for shard in Path(run).rglob("*.parquet"):
            shard.unlink()
        assert held.execute("select count(*) from episode.selfid").fetchone() == (5,)
        assert held.execute("select current_setting('threads')").fetchone() == (1,)
