"""What `run` recommends at its end: its rows are told apart, and fit a terminal of 80 columns."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli.run import next_steps
from mirror_ray.core.identity import Cell
from support.analysis.synthetic_runs import Played, moments, write_run

MODEL = "openrouter/google/gemma-4-26b-a4b-it:nitro"
ONE = Cell("selfid", "E1", (("subject", MODEL),), 0.2, "paper")
RIGHT = Played(moments("w unknown 60", "done red 60 red"), condition="E1", model=MODEL)


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        ([ONE], "condition"),
        ([ONE, replace(ONE, temperature=0.7)], "cell"),
        ([ONE, replace(ONE, variant="random")], "cell"),
    ],
)
def test_rows_are_told_apart_and_fit(cells: Sequence[Cell], first: str, tmp_path: Path) -> None:
    words = shlex.split(next_steps("runs/x", cells).partition("\nmirror-ray report")[0])
    assert max(len(line) for line in next_steps("runs/x", cells).splitlines()) <= 80
    played = [
        replace(RIGHT, temperature=cell.temperature, variant=cell.variant, scene_seed=seed)
        for cell in cells
        for seed in range(3)
    ]
    with open_run(write_run(tmp_path, played)) as connection:
        found = connection.sql(words[-1])
        assert found.columns[0] == first
        rows = found.fetchall()
    assert len({row[:2] for row in rows}) == len(rows) == len(cells)
