"""`mirror-ray report` and `export`: what they print, and what they say when they cannot."""

import json
import sys
from pathlib import Path

import pytest
from support.recorded_run import plan_for, record_run

from mirror_ray.cli import main
from mirror_ray.types import Reply


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


def test_the_report_says_where_it_is(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", run, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["page"] == f"{run}/report/index.html"
    assert all(Path(path).is_file() for path in [printed["page"], *printed["files"]])
    assert "<script" not in Path(printed["page"]).read_text()


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
        (["report"], "altair", ("analysis.report", "analysis.plots")),
        (["export", "--to", "croissant"], "mlcroissant", ("analysis.export",)),
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
