"""`mirror-ray sql --format`: rows as other tools take them, somebody's words among them."""

import csv
import io
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from support.recorded_run import plan_for, record_run

HOSTILE = 'a|b & 50% $x_{y} \\input{z} <b> \x1b[2J\u202e "q",\nline'
QUERY = f'select $${HOSTILE}$$ as "w|_&", 0.123456 as x, null as y, [1, 2] as z'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("rows") / "run"
    record_run(plan_for(out, runs=1), lambda _: Reply("no JSON"))
    return str(out)


@pytest.mark.parametrize("kind", ["table", "csv", "md", "tex"])
def test_text_is_printable(run: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", run, "--format", kind, QUERY]) == 0
    printed = capsys.readouterr().out
    assert all(char.isprintable() or char == "\n" for char in printed)


def test_csv_is_read_back(run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rows.csv"
    assert main(["sql", run, "--out", str(out), QUERY]) == 0
    assert str(out) in capsys.readouterr().out
    heading, row = csv.reader(io.StringIO(out.read_text()))
    assert heading == ["w|_&", "x", "y", "z"]
    assert row[0].startswith("a|b & 50% $x_{y} \\input{z} <b> ")
    assert row[0].endswith('"q",\nline')
    assert row[1:] == ["0.123456", "", "[1, 2]"]


def test_signs_of_the_format_are_escaped(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", run, "--format", "md", QUERY]) == 0
    heading, _, row = capsys.readouterr().out.splitlines()
    assert heading.startswith(r"| w\|\_\& | x |")
    assert row.count("|") - row.count(r"\|") == 5
    assert main(["sql", run, "--format", "tex", QUERY]) == 0
    text = capsys.readouterr().out
    assert r"\textbackslash{}input\{z\}" in text
    assert r"w\textbar{}\_\& & x & y & z \\" in text


def test_parquet_keeps_values_and_types(run: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    assert main(["sql", run, "--out", str(out), QUERY]) == 0
    (row,) = pq.read_table(out).to_pylist()
    assert (row["w|_&"], float(row["x"]), row["z"]) == (HOSTILE, 0.123456, [1, 2])


@pytest.mark.parametrize(
    "options", [["--out", "rows.xlsx"], ["--format", "parquet"], ["--out", "/dev/null/rows.csv"]]
)
def test_no_such_file(run: str, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", run, *options, "select 1"]) == 2
    assert "command line: --" in capsys.readouterr().err
