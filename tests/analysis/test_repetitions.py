"""A repetition is no new scene: identical ones change no estimate, interval or test."""

from collections.abc import Callable
from io import StringIO
from math import isclose
from pathlib import Path
from typing import Any

import duckdb
import pytest
from rich.console import Console
from scipy.stats import binomtest

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.summary import summary_tables
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.metacog.intervals import write_intervals
from support.analysis.flipset_runs import Answered, varied_answers, write_flipset_run
from support.analysis.metacog_runs import varied_answers as varied_wagers
from support.analysis.metacog_runs import write_metacog_run
from support.analysis.mirrorqa_runs import varied_questions, write_mirrorqa_run
from support.analysis.repeated_runs import repeat_run
from support.analysis.textmirror_runs import varied_readers, write_textmirror_run
from support.each_case import each

PEOPLE = [
    Answered(kind, model=f"human/{who}", scene_seed=seed)
    for who, kinds in {
        "a": ("correct", "egocentric", "correct"),
        "b": ("correct", "correct", "random"),
    }.items()
    for seed, kind in enumerate(kinds)
]
RUNS: dict[str, Callable[[Path], str]] = {
    "flipset": lambda folder: write_flipset_run(folder, [*varied_answers(), *PEOPLE]),
    "mirrorqa": lambda folder: write_mirrorqa_run(folder, varied_questions()),
    "metacog": lambda folder: write_metacog_run(folder, varied_wagers()),
    "textmirror": lambda folder: write_textmirror_run(folder, varied_readers()),
}
LAYERS = ("metric", "contrast", "ablation", "agency", "summary", "paper")
OF_OTHER_RUNS = ("grounded", "replayer", "curves_prompts")
"""Views of blind replays and of prompt sets, which RUNS do not have."""
LEFT_OUT = ("selfid", "marktest", "contingency", "dyad", "metacog_judged", "settled", "server")
VIEWS = tuple(
    f"{file.layer}.{file.name}"
    for file in sql_files()
    # Of these families there is nothing to repeat: each run of a seed draws another scene. A judge
    # reads one reply, by its episode's id, which repetitions do not share. Decisions are no scores.
    if file.layer in LAYERS
    and not file.name.startswith((*LEFT_OUT, *OF_OTHER_RUNS))
    # Rows made by hand do not say how replies were read, and these count replies.
    and not file.name.endswith(("_read", "replies"))
)
OF_REPLIES = {
    *("n_episodes", "n_failed", "n_valid", "n_readable", "n_chosen", "n_asked", "n_answered"),
    *("n_actual", "n_predicted", "n_hit", "n_kept"),
    *("n_answers", "n_scenes", "n_tied", "n_runs", "sd_of_runs"),
}
"""Columns that count replies, repetitions or the scenes that they are votes in, and say so."""

Rows = list[dict[str, Any]]
Compared = dict[str, list[tuple[Rows, Rows]] | None]
"""View → of each family with rows: those of one run, of eight equal ones; None: one per episode."""


def rows_of(connection: duckdb.DuckDBPyConnection, view: str) -> Rows | None:
    """What a view says, without columns that count replies; None where it has a row of each."""
    cursor = connection.execute(f"from {view} order by all")
    columns = [column[0] for column in cursor.description or ()]
    if "episode_id" in columns:
        return None
    # Stored tables tell of how many scores they were made.
    left_out = OF_REPLIES | ({"n"} if view.endswith("_bca") else set())
    return [
        {key: value for key, value in zip(columns, row, strict=True) if key not in left_out}
        for row in cursor.fetchall()
        # Agreement with a question's other replies needs another.
        if not any(str(value).lower().startswith(("self_c", "self-c")) for value in row)
    ]


def _of_another(view: str, family: str) -> bool:
    """Whether a view's name says that it is another family's: it has no row of this one."""
    return view.partition(".")[2].partition("_")[0] in RUNS.keys() - {family}


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """Each family, once and eight times."""
    found: Compared = {view: [] for view in VIEWS}
    for family, write in RUNS.items():
        folder = tmp_path_factory.mktemp(family)
        once, often = write(folder / "once"), write(folder / "often")
        repeat_run(folder / "often", 8)
        for run in (once, often):
            bootstrap_run(run, draws=200)
            write_intervals(run, draws=200)
            compare_run(run, draws=200)
        with open_run(once, hold=True) as one, open_run(often, hold=True) as other:
            for view in VIEWS:
                if _of_another(view, family):
                    continue
                rows, more = rows_of(one, view), rows_of(other, view)
                families = found[view]
                if families is None or rows is None or more is None:
                    found[view] = None
                elif rows or more:
                    families.append((rows, more))
    return found


def alike(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, (int, float)):
        return isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


@pytest.mark.thorough("the tests below, on the figures that papers print")
@each("view", VIEWS)
def test_identical_repetitions_change_nothing(compared: Compared, view: str) -> None:
    families = compared[view]
    if families is None:
        return
    assert families, f"no run of RUNS has a row of {view}: give one what it needs"
    for rows, more in families:
        assert len(rows) == len(more)
        for row, other in zip(rows, more, strict=True):
            different = [key for key in row if not alike(row[key], other[key])]
            assert not different, (row, other)


def planted(folder: Path, runs: int) -> str:
    """28 strings: a is right on 17; b loses 3 of these."""
    episodes = [
        Answered(kind, model=model, scene_seed=seed, run=run)
        for model, n_right in (("lab/a", 17), ("lab/b", 14))
        for seed in range(28)
        for kind in ["correct" if seed < n_right else "egocentric"]
        for run in range(runs)
    ]
    run = write_flipset_run(folder, episodes)
    bootstrap_run(run)
    compare_run(run)
    return run


def printed(connection: duckdb.DuckDBPyConnection) -> str:
    console = Console(width=120, file=StringIO())
    for table in summary_tables(connection):
        console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_eight_identical_runs_of_28_strings(tmp_path: Path) -> None:
    tables, shown = [], []
    for runs in (1, 8):
        with open_run(planted(tmp_path / str(runs), runs)) as connection:
            (cell,) = connection.execute(
                "select n, n_episodes, ci_low, ci_high from metric.flipset "
                "where model = 'lab/a' and metric = 'accuracy'"
            ).fetchall()
            (pair,) = connection.execute(
                "select n, p, ci_low, ci_high, test from contrast.pairs where metric = 'accuracy'"
            ).fetchall()
            (chance,) = connection.execute(
                "select n, p_above, p_below from metric.flipset_chance where model = 'lab/a'"
            ).fetchall()
            shown.append(printed(connection))
        low, high = binomtest(17, 28).proportion_ci(method="wilson")
        assert cell[:2] == (28, 28 * runs)
        assert cell[2:] == pytest.approx((low, high))
        # Three discordant strings, all one way: 2 / 2³.
        assert pair[:2] == (28, pytest.approx(0.25))
        assert pair[-1] == "mcnemar"
        assert chance == (
            28,
            pytest.approx(binomtest(17, 28, 0.25, "greater").pvalue),
            pytest.approx(binomtest(17, 28, 0.25, "less").pvalue),
        )
        tables.append((*cell[2:], *pair[1:4], *chance))
    once, often = tables
    assert once == often or once == pytest.approx(often)
    assert "n=28" in shown[0]
    assert shown[0] == shown[1]


def test_repetitions_that_differ_count_for_what_they_add(tmp_path: Path) -> None:
    """Half right on each of ten strings, by hand: n* is all 40 trials, taken 10 / 15 above 10."""
    episodes = [
        Answered("correct" if run % 2 else "egocentric", scene_seed=seed, run=run)
        for seed in range(10)
        for run in range(4)
    ]
    with open_run(write_flipset_run(tmp_path, episodes)) as connection:
        (row,) = connection.execute(
            "select n, n_episodes, ci_low, ci_high from metric.flipset where metric = 'accuracy'"
        ).fetchall()
        (worth,) = connection.execute(
            "select macro.effective_n_cautious(s, m) from (values (2.0, 4)) as v(s, m), range(10)"
        ).fetchall()
    n = 10 + (40 - 10) * 10 / 15
    assert worth[0] == pytest.approx(n)
    low, high = binomtest(int(n / 2), int(n)).proportion_ci(method="wilson")
    assert row == (10, 40, pytest.approx(low), pytest.approx(high))


def test_a_copy_of_a_question_is_no_new_question(tmp_path: Path) -> None:
    """Layouts of one string: another seed, the same cluster."""
    episodes = [Answered("correct", scene_seed=28 * turn) for turn in range(5)]
    with open_run(write_flipset_run(tmp_path, episodes)) as connection:
        (row,) = connection.execute(
            "select n, n_episodes, ci_low, se from metric.flipset where metric = 'accuracy'"
        ).fetchall()
    assert row == (1, 5, pytest.approx(binomtest(1, 1).proportion_ci(method="wilson").low), None)
