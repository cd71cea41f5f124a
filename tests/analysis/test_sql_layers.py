"""The rules every .sql file keeps, so that the listing tells the data flow."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from mirror_ray.families.metacog.intervals import write_intervals
from mirror_ray.records.decisions import write_decisions
from support.analysis.contingency_runs import varied_watchers, write_contingency_run
from support.analysis.decided import decided
from support.analysis.dyad_runs import varied_rooms, write_dyad_run
from support.analysis.flipset_runs import Answered, varied_answers, write_flipset_run
from support.analysis.marktest_runs import varied_reaches, write_marktest_run
from support.analysis.metacog_runs import judged, write_metacog_run
from support.analysis.metacog_runs import varied_answers as varied_wagers
from support.analysis.mirrorqa_runs import varied_questions, write_mirrorqa_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.analysis.textmirror_runs import varied_readers, write_textmirror_run
from support.each_case import each

LAYERS = (
    "shard",
    "macro",
    "stage",
    "episode",
    "metric",
    "twin",
    "contrast",
    "ablation",
    "agency",
    "summary",
    "paper",
)
UNIONS = (
    *("answers", "design", "estimates", "judged", "people", "replies", "settings", "stakes"),
    "sureness_answers",
)
FILES = [pytest.param(file, id=f"{file.layer}.{file.name}") for file in sql_files()]
SCALAR_MACROS = {
    file.name for file in sql_files() if file.layer == "macro" and "\n-- macro: " in file.text
}
PRINTED = {file.name for file in sql_files() if file.path.endswith(".csv")}
VIEWS = [
    pytest.param(file, id=f"{file.layer}.{file.name}")
    for file in sql_files()
    if file.layer != "macro"
]


def code(file: SqlFile) -> str:
    """Without comments and string literals."""
    return re.sub(r"--[^\n]*|'[^']*'", "", file.text)


@each("file", FILES)
def test_a_file_is_one_bare_select_in_lower_case(file: SqlFile) -> None:
    assert re.match(r"\s*(select|with)\b", code(file))
    assert ";" not in code(file)
    assert code(file) == code(file).lower()
    # A CSV file's rows are as long as they are.
    if file.path.endswith(".sql"):
        assert max(len(line) for line in file.text.splitlines()) <= 100


@each("file", FILES)
def test_a_file_reads_lower_layers_or_the_view_it_extends(file: SqlFile) -> None:
    for layer, name in re.findall(r"\b(\w+)\.(\w+)", code(file)):
        if layer in LAYERS and layer != file.layer:
            assert LAYERS.index(layer) < LAYERS.index(file.layer)
        elif layer == file.layer:
            # A union of all families' views is made when they all are.
            if file.name in UNIONS:
                assert name.split("_")[0] in METRICS
                continue
            if name in PRINTED:
                continue
            # What values are made of, which are listed first, and a table's rows.
            is_table = file.name not in SCALAR_MACROS
            if file.layer == "macro" and name in SCALAR_MACROS and (is_table or name < file.name):
                continue
            # Trajectories sum up an episode's steps, labels the axes of a variant's episodes;
            # latest takes need to know which episodes have several. Steps are the asks of those.
            family = re.sub("_(trajectories|labels)$", "", file.name)
            assert file.name.startswith(f"{name}_") or name in (
                f"{family}_steps",
                f"{family}_episodes",
                f"{family}_axes",
                f"{file.family}_again",
                f"{file.family}_played_steps",
            )


@each("file", FILES)
def test_a_file_opens_with_its_grain(file: SqlFile) -> None:
    assert re.match(r"-- grain: one (row per \w+(, \w+)*|value)\n", file.text)


@pytest.fixture(scope="module")
def varied_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    """A run with something of everything, opened once: making all views takes a while."""
    right = Played(moments("w blue 0", "w red 80", "done red 0 red"))
    lost = Played(moments("w blue 60", "w blue 60"), condition="E2", model="scripted/mute")
    failed = replace(right, scene_seed=7, error_kind="server")
    hot = replace(right, temperature=None)
    wide = replace(right, variant="paper+max_steps=20", max_steps=20)
    other = replace(right, model="scripted/mute")
    played = [*scenes(right, 3), *scenes(other, 3), *scenes(lost, 2), *scenes(hot, 2), failed]
    played += scenes(wide, 2)
    for axis, value in (("mirror_side_m", 0.5), ("body_color", "third")):
        varied = replace(right, variant=f"paper+{axis}={value}", says_otherwise={axis: value})
        played += scenes(varied, 2)
    played += scenes(replace(right, variant="paper+picture=black"), 2)
    played += scenes(replace(right, model=f"replayer/same/{right.model}"), 2)
    played.append(replace(right, condition="E1-removed", branch_of=right, branch_step=2))
    played.append(replace(failed, take=2, error_kind="none"))
    run = write_run(tmp_path_factory.mktemp("run"), played, orphans=[replace(right, run=5)])
    people = [Answered("correct", model=f"human/{one}") for one in ("p1", "p2")]
    write_flipset_run(Path(run), [*varied_answers(), *people])
    write_mirrorqa_run(Path(run), varied_questions())
    write_textmirror_run(Path(run), varied_readers())
    write_metacog_run(Path(run), [*varied_wagers(), judged("lab/judge")])
    write_marktest_run(Path(run), varied_reaches())
    write_contingency_run(Path(run), varied_watchers())
    write_dyad_run(Path(run), varied_rooms())
    with open_run(run, hold=True) as opened:
        bootstrap_run(run, draws=100, run=opened)
        write_intervals(run, draws=100, run=opened)
        compare_run(run, draws=100, run=opened)
    write_decisions(run, decided("E1", "scripted/observer", "scripted/mute"))
    with open_run(run, hold=True) as connection:
        yield connection


@dataclass(frozen=True, slots=True)
class Rows:
    """How many rows a view has, of how many keys, and the types of its columns."""

    total: int
    keys: int
    types: Mapping[str, str]


@pytest.fixture(scope="module")
def rows_of(varied_run: DuckDBPyConnection) -> Callable[[SqlFile], Rows]:
    @cache
    def of(file: SqlFile) -> Rows:
        keys = file.text.splitlines()[0].removeprefix("-- grain: one row per ")
        found = varied_run.execute(
            f"select count(*), count(distinct ({keys})), any_value(row) from {file.view} as row"  # noqa: S608
        )
        _, _, (_, row, *_) = found.description
        (counted,) = found.fetchall()
        types = {name: str(kind) for name, kind in row.children}
        return Rows(counted[0], counted[1], types)

    return of


@each("file", VIEWS)
def test_the_stated_grain_is_unique(file: SqlFile, rows_of: Callable[[SqlFile], Rows]) -> None:
    rows = rows_of(file)
    # Of an episode there are two takes in one family alone, and flipset's alone were asked in a
    # channel beside natural; this run had no servers of its own.
    of_servers = file.name in ("servers", "server_timeline")
    without = of_servers or (file.name.endswith("_again") and file.family != "selfid")
    without = without or (file.name.endswith("_stakes") and file.family != "flipset")
    # Rows made by hand say nothing of how their replies were read.
    without = without or file.name.endswith(("_read", "replies"))
    # This run has neither blind replays nor prompt sets.
    without = without or file.name in ("replayer", "curves_prompts")
    assert rows.total > 0 or without
    assert rows.keys == rows.total


OF_EPISODES = "a row is an episode or a unit, which was read or not"
NOTHING_READ = "counts of what was asked, by design"
WITHOUT_REPLIES = {
    **dict.fromkeys(("metric.catalogue", "metric.settings"), "definitions"),
    "metric.server_timeline": "times of servers",
    **dict.fromkeys(("metric.metacog_composition", "metric.sureness_answers"), OF_EPISODES),
    **dict.fromkeys(("metric.people", "metric.scores", "agency.metacog_parts"), OF_EPISODES),
    "twin.people": "a vote on one scene, with its n_answered of n_people",
    "twin.settled": "a verdict on two cells, which are in metric.settled",
    **dict.fromkeys(("metric.mirrorqa_reference", "paper.design"), NOTHING_READ),
    **{f"paper.{family}_design": NOTHING_READ for family in ("flipset", "mirrorqa", "selfid")},
}
"""View with figures that are no shares of replies → why."""


@each("file", VIEWS)
def test_an_estimate_has_its_denominator(file: SqlFile, rows_of: Callable[[SqlFile], Rows]) -> None:
    if file.layer in ("stage", "episode"):
        return
    types = rows_of(file).types
    figures = {name for name, kind in types.items() if kind == "DOUBLE"} - {"temperature"}
    is_counted = {"n_replies", "n_read"} <= types.keys()
    assert is_counted or not figures or file.view in WITHOUT_REPLIES, sorted(figures)
    assert not (is_counted and file.view in WITHOUT_REPLIES)
    # DuckDB's name for a column that a view has twice.
    assert not {"n_replies_1", "n_read_1"} & types.keys()


def test_the_catalogue_has_every_metric_that_there_is(varied_run: DuckDBPyConnection) -> None:
    estimates = "select distinct family, metric from metric.estimates"
    listed = "select family, metric from metric.catalogue"
    assert varied_run.execute(f"{estimates} except {listed}").fetchall() == []
    # Which questions a run asks decides about these alone.
    of_some = "metric like '%\\_2' escape '' or metric like '%\\_4' escape ''"
    missing = f"select family, metric from ({listed} except {estimates}) where not ({of_some})"  # noqa: S608
    assert varied_run.execute(missing).fetchall() == []


def test_no_estimate_is_outside_the_range_that_the_catalogue_states(
    varied_run: DuckDBPyConnection,
) -> None:
    outside = varied_run.execute(
        "select family, metric, estimate from metric.estimates "
        "join metric.catalogue using (family, metric) "
        "where not estimate between low - 1e-9 and coalesce(high, 'inf') + 1e-9"
    ).fetchall()
    assert outside == []


@pytest.mark.parametrize("family", METRICS)
def test_what_the_catalogue_calls_a_score_is_a_column_of_episodes(
    family: str, varied_run: DuckDBPyConnection
) -> None:
    columns = set(varied_run.sql(f"from episode.{family}").columns)
    scores = {metric.name for metric in METRICS[family].scores}
    assert scores <= columns
    assert METRICS[family].leading in scores
    assert not columns & ({metric.name for metric in METRICS[family].metrics} - scores)
