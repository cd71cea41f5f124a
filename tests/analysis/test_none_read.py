"""Replies none of which was read appear as such in every export, table and page, never as 0."""

import json
import re
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from inspect_ai.log import read_eval_log

from mirror_ray.analysis.compare import compare
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.paper import paper_sections
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.analysis.report.shown import table_text
from mirror_ray.analysis.sql_file import KNOWN_UNREAD
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import __file__ as cli_file
from mirror_ray.cli import compare as cli_compare
from mirror_ray.cli import main
from mirror_ray.core.types import Request
from mirror_ray.viewer.index import EpisodeIndex
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import NONSENSE, says

COMMANDS = Path(cli_file).parent
LAYERS = ("metric", "contrast", "ablation", "summary", "paper")
KEYS = {file.view: {*re.findall(r"\w+(?=,|$)", file.text.split("\n")[0])} for file in sql_files()}


@pytest.fixture(scope="module")
def mute(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A run of two conditions: nothing was read in E1, and half of the episodes in E2."""
    out = tmp_path_factory.mktemp("mute") / "run"
    plan = plan_for(out, conditions=("E1", "E2"), runs=2, max_steps=2)
    spoken = {spec.episode_id for spec in plan.episodes if spec.cell.condition == "E2"}

    def answers(request: Request) -> Any:
        return says("w") if request.episode_id in spoken else NONSENSE

    record_run(plan, answers)
    return str(out)


def test_a_view_has_no_figure_of_unread_replies(mute: str) -> None:
    with open_run(mute, hold=True) as run:
        views = run.execute(
            "select schema_name || '.' || view_name from duckdb_views() "
            "where list_contains($1, schema_name) and not ends_with(view_name, '_read') "
            "and view_name similar to '(selfid|pairs|estimates|curves)[a-z_]*'",
            [LAYERS],
        ).fetchall()
        n_unread = 0
        for (view,) in views:
            table = run.sql(f"from {view}").to_arrow_table()
            if "n_read" not in table.column_names:
                continue
            figures = {field.name for field in table.schema if str(field.type) == "double"} - {
                *KNOWN_UNREAD
            }
            figures -= KEYS.get(view, set()) | {"temperature"}
            for row in table.to_pylist():
                if row["n_replies"] and not row["n_read"]:
                    n_unread += 1
                    assert {row[name] for name in figures} <= {None}, (view, row)
    assert n_unread > 10


# Croissant describes the same tables as huggingface.
ALIKE = pytest.mark.thorough("huggingface, here")


@pytest.fixture(
    params=["eee", "inspect", "huggingface", pytest.param("croissant", marks=ALIKE), "rerun"]
)
def export(request: pytest.FixtureRequest, mute: str, tmp_path: Path) -> tuple[str, Path]:
    words = ["export", mute, "--to", request.param, "--no-pictures", "--out", str(tmp_path / "x")]
    assert main(words) == 0
    return request.param, tmp_path / "x"


def test_an_export_has_no_estimate_of_unread_replies(export: tuple[str, Path]) -> None:
    format_name, folder = export
    if format_name == "eee":
        (path,) = folder.rglob("*.json")
        results = json.loads(path.read_text())["evaluation_results"]
        assert {one["evaluation_name"] for one in results} == {"selfid/E2"}
        assert all(one["score_details"]["details"]["n_read"] != "0" for one in results)
        (path,) = folder.rglob("*.jsonl")
        samples = [json.loads(line) for line in path.read_text().splitlines()]
        assert {one["evaluation_name"] for one in samples} == {"selfid/E2"}
    elif format_name == "inspect":
        scores = {
            (log.eval.task, score.name): (score.metadata, {**score.metrics})
            for path in folder.glob("*.eval")
            for log in [read_eval_log(str(path))]
            for score in log.results.scores
        }
        assert scores["selfid/E1", "tsa"] == ({"n_replies": 4, "n_read": 0}, {})
        assert scores["selfid/E2", "tsa"][1]
        samples = {
            (log.eval.task, str(score.value), (score.metadata or {}).get("unscored_reason"))
            for path in folder.glob("*.eval")
            for log in [read_eval_log(str(path))]
            for sample in log.samples
            for name, score in sample.scores.items()
            if name == "tsa"
        }
        assert samples == {("selfid/E1", "nan", "unread"), ("selfid/E2", "0.0", None)}
    elif format_name in ("huggingface", "croissant"):
        table = pq.read_table(next(folder.rglob("selfid_metrics.parquet"))).to_pylist()
        assert {row["estimate"] for row in table if not row["n_read"]} == {None}
        assert {row["n_replies"] for row in table if not row["n_read"]} == {4}
        scores = pq.read_table(next(folder.rglob("selfid_scores.parquet"))).to_pylist()
        assert {(row["condition"], row["tsa"]) for row in scores} == {("E1", None), ("E2", 0)}
    else:
        # A recording is one episode: it has no estimate.
        assert list(folder.rglob("*.rrd"))


def test_every_format_of_the_command_line_is_examined() -> None:
    commands = tomllib.loads((COMMANDS / "commands.toml").read_text(encoding="utf-8"))
    found = re.search(r"'name': '--to', 'choices': \[([^]]+)\]", str(commands))
    assert found is not None
    assert {*re.findall(r"\w+", found[1])} == {
        "eee",
        "inspect",
        "huggingface",
        "croissant",
        "rerun",
    }


def test_tables_of_the_console_show_a_dash(
    mute: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replayer", mute, "--out", str(tmp_path / "replayer"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["replayer"]
    (unread,) = (row for row in found if row["condition"] == "E1")
    assert (unread["n_read"], unread["estimate"], unread["same"]) == (0, None, None)
    query = "select estimate, n_read from metric.selfid where condition = 'E1' and metric = 'tsa'"
    assert main(["sql", mute, query, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"estimate": None, "n_read": 0}]


def test_a_comparison_of_a_mostly_unread_cell_has_no_p(mute: str) -> None:
    with open_run(mute, hold=True) as a, open_run(mute, hold=True) as b:
        found = {one.condition: one for one in compare(a, b, ["tsa"]).cells}
    assert (found["E1"].difference, found["E1"].p, found["E1"].p_holm) == (None, None, None)
    assert (found["E2"].difference, found["E2"].p) == (0.0, 1.0)


def test_a_comparison_of_a_third_read_is_marked_and_has_no_p(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "run", conditions=("E1",), runs=3, max_steps=2)
    spoken = plan.episodes[0].episode_id
    record_run(plan, lambda one: says("w") if one.episode_id == spoken else NONSENSE)
    run = str(tmp_path / "run")
    with open_run(run, hold=True) as a, open_run(run, hold=True) as b:
        (found,) = compare(a, b, ["tsa"]).cells
    assert (found.n_read_a, found.n_replies_a) == (2, 6)
    assert (found.difference, found.p, found.p_holm) == (0.0, None, None)
    shown = cli_compare._figures(asdict(found))
    assert (shown["A"].plain, shown["B"].plain, shown["p"].plain) == ("0 ?", "0 ?", "–")
    assert "read 2 of 6, 2 of 6" in shown["metric"].plain


def test_constants_are_shown_where_nothing_was_read(mute: str) -> None:
    with open_run(mute, hold=True) as run:
        (table,) = (
            part
            for section in paper_sections(Reading(run), "selfid")
            for part in section.parts
            if part.name == "paper_selfid" and isinstance(part, ReportTable)
        )
    names = [column.heading for column in table_text(table).columns]
    lines = [line for _, group in table_text(table).groups for line in group]
    cells = [dict(zip(names, [cell.text for cell in line], strict=True)) for line in lines]
    unread = [one for one in cells if one["read"] == "0 of 4" and one["metric"] == "tsa"]
    assert {(one["estimate"], one["chance"]) for one in unread} == {("none read", "0.333")}


def test_the_viewer_calls_no_unread_episode_wrong(mute: str) -> None:
    index = EpisodeIndex(mute)
    assert index.classes_note(None) is None
    found = {(row["condition"], row["verdict"]) for row in index.all()}
    index.close()
    assert {verdict for condition, verdict in found if condition == "E1"} == {"unscored"}
    assert ("E2", "wrong") in found
