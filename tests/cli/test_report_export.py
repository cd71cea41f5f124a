"""`mirror-ray report` and `export`: what they print, and what they say when they cannot."""

import json
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pyarrow.parquet as pq
import pytest

from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from support.recorded_run import plan_for, record_run


def says_done(_: object) -> Reply:
    return Reply(
        text=json.dumps(
            {
                "view-description": "<script>alert(1)</script>",
                "reasoning": "I see it.",
                "action": "done",
                "summary": "",
                "selected_cube": "red",
                "identification": "red",
            }
        )
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("runs") / "run"
    record_run(plan_for(out), says_done)
    return str(out)


@pytest.mark.usefixtures("undrawn")
def test_the_report_says_where_it_is(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", run, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["page"] == f"{run}/report/index.html"
    assert all(Path(path).is_file() for path in [printed["page"], *printed["files"]])
    assert "<script" not in Path(printed["page"]).read_text()


@pytest.mark.thorough("analysis/test_said_of_settings.py, the heading by itself")
def test_of_a_run_that_has_not_ended_the_page_says_how_many_are_planned(
    run: str, tmp_path: Path
) -> None:
    begun = copytree(run, tmp_path / "begun", ignore=ignore_patterns("report"))
    at = {"at": "2026-01-01T00:00:00+00:00", "started_at": "2026-01-01T00:00:00+00:00"}
    lines = (
        {"event": "started", **at},
        {"event": "progress", **at, "planned": 5_050, "settled": 50},
    )
    (begun / "run.log").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert main(["report", str(begun)]) == 0
    page = (begun / "report" / "index.html").read_text()
    assert "of 5,000 planned, 0 with an error" in page


@pytest.mark.thorough("analysis/test_selection.py and the report above")
def test_a_report_of_some_episodes_under_other_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    record_run(plan_for(out, conditions=("E1", "E2"), runs=2), says_done)
    names = tmp_path / "names.yaml"
    names.write_text("scripted/blind: The & Blind\nE1: with a mirror\n")
    chosen = ["--where", "condition = 'E1' -- the mirror", "--models", "*/bl*"]
    assert main(["report", str(out), *chosen, "--names", str(names)]) == 0
    page = (out / "report/index.html").read_text()
    assert "The &amp; Blind" in page
    assert "with a mirror" in page
    rows = pq.read_table(out / "report/tables/selfid_summary.parquet").to_pylist()
    assert [(row["model"], row["condition"], row["tsa_n"]) for row in rows] == [
        ("scripted/blind", "E1", 2)
    ]
    assert "How this was made" in page
    assert "scene seeds" in page
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--where", "nonsense = 1"], "command line: --where"),
        (["--where", "true) ; drop schema stage; --"], "command line: --where"),
        (["--where", "true; select 1"], "command line: --where"),
        (["--where", "false"], "a condition that at least one episode meets"),
        (["--where", "model in (select content from read_text('/etc/hostname'))"], "--where"),
        (["--models", "nobody*"], "scripted/blind"),
        (["--names", "/nonexistent.yaml"], "command line: --names /nonexistent.yaml"),
        (["--episodes", "--out", "s3://bucket/report"], "command line: --episodes"),
    ],
)
def test_what_no_report_can_be_made_of(
    run: str, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", run, *options]) == 2
    assert said in capsys.readouterr().err


def test_an_export_says_what_it_wrote(
    run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", run, "--to", "huggingface", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert str(tmp_path / "README.md") in printed
    assert all(Path(path).is_file() for path in printed)


@pytest.mark.parametrize(
    ("command", "package", "ours"),
    [
        (["report"], "vl_convert", ("mirror_ray.analysis.report", "mirror_ray.analysis.plots")),
        (["export", "--to", "croissant"], "mlcroissant", ("mirror_ray.analysis.export",)),
    ],
)
def test_a_missing_extra_is_named(
    *,
    run: str,
    command: list[str],
    package: str,
    ours: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.startswith(ours)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    assert main([command[0], run, *command[1:]]) == 2
    said = capsys.readouterr().err
    assert f"no package '{package}'" in said
    assert f'pip install "mirror-ray[{command[0]}]"' in said


def test_an_address_needs_a_folder_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "s3://bucket/run", "--to", "inspect"]) == 2
    assert "give --out FOLDER" in capsys.readouterr().err


def test_another_format_is_bad_input(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_code:
        main(["export", run, "--to", "excel"])
    assert exit_code.value.code == 2
    assert "croissant" in capsys.readouterr().err


def test_a_folder_that_is_no_run_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["report", str(tmp_path)], ["export", str(tmp_path), "--to", "inspect"]):
        assert main(command) == 2
        assert str(tmp_path) in capsys.readouterr().err
