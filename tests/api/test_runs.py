"""`load`: what the commands read, from Python, with the same refusals."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from PIL import Image

import mirror_ray
from mirror_ray.cli import main
from mirror_ray.core.errors import MirrorRayError, RunDirError, SweepError
from mirror_ray.core.types import Reply
from mirror_ray.sweep.plan import Plan
from support.analysis import flipset_runs, metacog_runs, mirrorqa_runs, textmirror_runs
from support.analysis.flipset_runs import write_flipset_run
from support.analysis.metacog_runs import write_metacog_run
from support.analysis.mirrorqa_runs import write_mirrorqa_run
from support.analysis.textmirror_runs import write_textmirror_run
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says
from support.two_runs import two_runs
from support.viewed_run import viewed_run
from support.whole import mostly_thorough


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """A run with real frames, whose model writes HTML wherever it writes."""
    return viewed_run(tmp_path_factory.mktemp("api") / "viewed")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Runs with two scenes in common."""
    return two_runs(tmp_path_factory.mktemp("runs"))


@pytest.mark.thorough("api/test_table.py")
def test_its_tables_are_those_of_the_views(
    viewed: Plan, capsys: pytest.CaptureFixture[str]
) -> None:
    out = viewed.sweep.out
    with mirror_ray.load(out) as runs:
        assert runs.families == ("selfid",)
        for table, view in (
            (runs.metrics(), "metric.selfid"),
            (runs.episodes("selfid"), "episode.selfid"),
            (runs.steps(), "stage.selfid_steps"),
            (runs.pairs(), "contrast.pairs"),
        ):
            assert main(["sql", out, f"from {view} select count(*) as n", "--json"]) == 0
            assert json.loads(capsys.readouterr().out) == [{"n": len(table)}], view
            assert table.columns == runs.sql(f"from {view} limit 0").columns
        with pytest.raises(SweepError, match="one of selfid, the families of these runs"):
            runs.metrics("flipset")
        (counted,) = runs.sql(
            "select count(*) as n from stage.selfid_steps where step = $step", step=1
        )
        assert counted == {"n": len(viewed.episodes)}
        runs.sql("create temp table mine as select 7 as x")
        assert list(runs.sql("from mine")) == [{"x": 7}]


def test_several_runs_are_one_and_an_episode_counts_once(two: list[str]) -> None:
    with mirror_ray.load(*two, Path(two[1])) as runs:
        assert runs.directories == tuple(two)
        assert len(runs.episodes()) == 6
        assert {row["run_dir"] for row in runs.sql("from stage.selfid_episodes")} == {two[1]}
        assert all(one in runs._repr_html_() for one in two)
    with mirror_ray.load(two[1], where="condition = 'E2'", hold=True) as runs:
        assert {row["condition"] for row in runs.metrics()} == {"E2"}


@pytest.mark.thorough("api/test_table.py")
def test_several_families_are_one_table(two: list[str], tmp_path: Path) -> None:
    directories = [two[1]]
    for name, write in (
        ("flipset", lambda out: write_flipset_run(out, flipset_runs.varied_answers())),
        ("mirrorqa", lambda out: write_mirrorqa_run(out, mirrorqa_runs.varied_questions())),
        ("metacog", lambda out: write_metacog_run(out, metacog_runs.varied_answers())),
        ("textmirror", lambda out: write_textmirror_run(out, textmirror_runs.varied_readers())),
    ):
        out = tmp_path / name
        out.mkdir()
        write(out)
        (out / "manifest.json").write_text((Path(two[1]) / "manifest.json").read_text())
        directories.append(str(out))
    with mirror_ray.load(*directories) as runs:
        assert runs.families == ("flipset", "metacog", "mirrorqa", "selfid", "textmirror")
        for table in (runs.metrics, runs.episodes, runs.steps):
            whole = table()
            parts = [table(family) for family in runs.families]
            assert len(whole) == sum(map(len, parts))
            assert set(whole.columns) == {name for part in parts for name in part.columns}
            assert all(map(len, parts)) or table == runs.steps
        assert len(runs.pairs()) > 0


def test_a_run_without_an_episode_has_columns_and_no_row(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "run", runs=1)
    record_run(plan, lambda _: Reply("no JSON"))
    for shard in (tmp_path / "run").rglob("*.parquet"):
        shard.unlink()
    with mirror_ray.load(tmp_path / "run", hold=True) as runs:
        assert "no episode yet" in repr(runs)
        for table in (runs.metrics(), runs.episodes(), runs.steps(), runs.pairs()):
            assert len(table) == 0
            assert "condition" in table.columns
        assert "0 rows" in runs._repr_html_()


def test_a_frame_has_the_pixels_that_were_recorded(viewed: Plan) -> None:
    spec = viewed.episodes[0]
    with mirror_ray.load(viewed.sweep.out) as runs:
        picture = runs.frame(spec.episode_id[:8], 2)
        assert picture.is_as_recorded
        image = Image.open(BytesIO(picture._repr_png_()))
        assert (image.format, image.size) == ("PNG", (picture.width_px, picture.height_px))
        assert runs.frame(spec.episode_id).png != picture.png
        for arguments, said in (
            ((spec.episode_id, 0), "step"),
            ((spec.episode_id, 99), "1 to 4"),
            ((spec.episode_id, 1, 2), "1 to 1"),
            (("zzzz",), "no sealed id"),
            ((spec.episode_id[:1],), "4 letters"),
        ):
            with pytest.raises(SweepError, match=said):
                runs.frame(*arguments)


def test_pictures_that_differ_from_the_record_are_told(two: list[str]) -> None:
    # Whose frames were never drawn.
    with mirror_ray.load(two[1]) as runs:
        episode_id = next(iter(runs.episodes()))["episode_id"]
        assert not runs.frame(episode_id).is_as_recorded


def test_what_a_notebook_shows_runs_nothing(viewed: Plan) -> None:
    with mirror_ray.load(viewed.sweep.out) as runs:
        for shown in (
            runs._repr_html_(),
            *(table._repr_html_() for table in (runs.metrics(), runs.steps(), runs.episodes())),
        ):
            assert "<script" not in shown
            assert "<img" not in shown
            assert "\u202e" not in shown


@pytest.mark.parametrize(
    ("query", "said"),
    mostly_thorough(
        2,
        [
            ("selct 1", "syntax error"),
            ("from nothing.there", "list the views, which are"),
            ("copy (select 1) to 'x.csv'", "to_pandas"),
            ("attach 'new.db'", "to_pandas"),
            ("from read_text('/etc/hostname')", "to_pandas"),
            ("set enable_external_access = true", "DuckDB SQL over the run's views"),
            ("select $x", "DuckDB SQL over the run's views"),
        ],
    ),
)
def test_a_query_reads_and_does_nothing_else(two: list[str], query: str, said: str) -> None:
    secret = 7  # noqa: F841 - what Python knows is no table
    with mirror_ray.load(*two) as runs:
        with pytest.raises(SweepError, match=said) as refused:
            runs.sql(query)
        assert refused.value.where == "sql: query"
        with pytest.raises(SweepError):
            runs.sql("from secret")
        assert len(runs.episodes()) == 6


def test_every_refusal_is_an_exception_of_the_command(two: list[str], tmp_path: Path) -> None:
    for call, kind, said in (
        (mirror_ray.load, SweepError, "none"),
        (lambda: mirror_ray.load(tmp_path), RunDirError, "no manifest.json"),
        (lambda: mirror_ray.load(Path(two[0]).parent), RunDirError, "name them"),
        (lambda: mirror_ray.load(two[0], where="nonsense = 1"), SweepError, "nonsense"),
        (lambda: mirror_ray.load(two[0], where="1); drop table x"), SweepError, "load: where"),
        (lambda: mirror_ray.load(two[0], variables={"x": 1}), SweepError, "near_radius_m"),
        (lambda: mirror_ray.load(two[0], variables={"judge": [1]}), SweepError, "a number"),
        (
            lambda: mirror_ray.load(two[0]).metrics("self"),
            SweepError,
            "one of selfid, the families of these runs",
        ),
    ):
        with pytest.raises(MirrorRayError, match=said) as refused:
            call()
        assert type(refused.value) is kind


def test_a_damaged_shard_is_named(tmp_path: Path) -> None:
    record_run(plan_for(tmp_path / "run", runs=3), lambda _: says("w"))
    shard = sorted((tmp_path / "run").rglob("episodes/**/*.parquet"))[0]
    whole = shard.read_bytes()
    shard.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RunDirError, match=shard.name):
        mirror_ray.load(tmp_path / "run")
    # Its head and its end are sound: the checksum of all bytes tells, and without one the rows.
    shard.write_bytes(whole[:40] + bytes(len(whole) // 4) + whole[40 + len(whole) // 4 :])
    with pytest.raises(RunDirError, match=shard.name):
        mirror_ray.load(tmp_path / "run")
    shard.write_bytes(whole)
    pq.write_table(pq.read_table(shard, partitioning=None), shard)
    whole = shard.read_bytes()
    shard.write_bytes(whole[:40] + bytes(len(whole) // 4) + whole[40 + len(whole) // 4 :])
    with mirror_ray.load(tmp_path / "run") as runs, pytest.raises(RunDirError, match=shard.name):
        runs.episodes()


def test_versions_that_differ_are_a_warning(tmp_path: Path) -> None:
    about = {"versions": {"mirror-ray": "0.0.1"}, "cpu": None, "gl": None}
    record_run(plan_for(tmp_path / "run", runs=1), lambda _: says("w"), about=about)
    with pytest.warns(mirror_ray.RunWarning, match=r"Recorded by mirror-ray 0\.0\.1"):
        mirror_ray.load(tmp_path / "run").close()


def test_threads_and_a_running_loop_may_ask_at_once(two: list[str], viewed: Plan) -> None:
    async def asked() -> int:
        with mirror_ray.load(*two) as runs:
            tables = await asyncio.gather(*(asyncio.to_thread(runs.steps) for _ in range(4)))
            return sum(map(len, tables)) + len(runs.steps())

    assert asyncio.run(asked()) == 5 * 6
    with mirror_ray.load(viewed.sweep.out) as runs, ThreadPoolExecutor(4) as pool:
        ids = [spec.episode_id for spec in viewed.episodes] * 2
        assert all(picture.is_as_recorded for picture in pool.map(runs.frame, ids))
