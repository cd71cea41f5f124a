"""Commands over several run directories, which they read as one."""

import json
from pathlib import Path

import pytest

from mirror_ray.cli import main
from mirror_ray.sweep.load import load_plan
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says
from support.two_runs import two_runs


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Runs with two scenes in common: the first walks on, the second is done at once."""
    return two_runs(tmp_path_factory.mktemp("runs"))


def test_a_query_reads_both_wherever_its_options_stand(
    two: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    query = "select condition, count(*) as n from stage.selfid_episodes group by 1 order by 1"
    for words in ([*two, query, "--json"], [two[0], "--json", two[1], query]):
        assert main(["sql", *words]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert rows == [{"condition": "E1", "n": 3}, {"condition": "E2", "n": 3}]
    by_run = "select run_dir, count(*) as n from stage.selfid_episodes group by 1 order by 1"
    assert main(["sql", *two, by_run, "--json"]) == 0
    counted = [(row["run_dir"], row["n"]) for row in json.loads(capsys.readouterr().out)]
    # What both have is the later run's.
    assert counted == [(two[1], 6)]
    assert main(["sql", two[0]]) == 2
    assert "and a query" in capsys.readouterr().err
    assert main(["sql", str(Path(two[0]).parent), query]) == 2
    assert f"name them: {two[0]} {two[1]}" in capsys.readouterr().err


@pytest.mark.thorough("api/test_runs.py reads both")
def test_a_report_and_an_export_of_both(
    two: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *two]) == 2
    assert "add --out report" in capsys.readouterr().err
    assert main(["report", *two, "--out", str(tmp_path / "r"), "--episodes"]) == 0
    page = (tmp_path / "r" / "index.html").read_text()
    assert f"Run directories read as one: {two[0]}, {two[1]}" in page
    assert not (Path(two[0]) / "report").exists()
    written = {path.stem for path in (tmp_path / "r" / "episodes").iterdir()} - {"index"}
    assert written
    assert all(f'href="episodes/{one}.html"' in page for one in written)
    assert main(["export", *two, "--to", "huggingface", "--out", str(tmp_path / "data")]) == 0
    assert (tmp_path / "data" / "data" / "selfid_episodes.parquet").is_file()


def test_a_grown_run_is_told_by_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_run(plan_for(tmp_path / "run", runs=2), lambda _: says("w"))
    sweep = str(tmp_path / "run.yaml")
    assert main(["plan", sweep, "models=[scripted/blind,scripted/mute]", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["added"]["episodes"] == 2
    assert told["added"]["which"] == "2 of scripted/mute"
    assert told["added"]["cost_usd"]["expected"] == 0.0
    assert main(["plan", sweep, "stages.0.runs=4"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "New: 2 episodes (2 in further scenes or runs)" in shown
    assert "Expected for what is new: $0.00; at most $0.00." in shown
    assert main(["plan", sweep, "--limit", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["left_out"]["episodes"] == 1
    assert main(["plan", sweep, "stages.0.max_steps=9"]) == 0
    assert "run will refuse this one" in " ".join(capsys.readouterr().out.split())
    assert load_plan(sweep).sweep.resolved["stages"][0]["runs"] == 2
