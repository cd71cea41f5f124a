"""A query's rows in a terminal: of very many the first, in every format all."""

import json

import pytest

from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from support.recorded_run import plan_for, record_run

ONE, MOST, MORE, MANY = 1, 1_000, 1_001, 25_000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("long") / "run"
    record_run(plan_for(out, runs=1), lambda _: Reply("no JSON"))
    return str(out)


@pytest.mark.parametrize("n_rows", [ONE, MOST, MORE, MANY])
def test_the_first_thousand_rows_are_shown(
    run: str, n_rows: int, capsys: pytest.CaptureFixture[str]
) -> None:
    query = f"select range as number from range({n_rows})"  # noqa: S608 - our own number
    assert main(["sql", run, query]) == 0
    said = capsys.readouterr().out
    numbers = [int(line) for line in said.splitlines() if line.strip().isdecimal()]
    assert numbers == [*range(min(n_rows, MOST))]
    if n_rows > MOST:
        assert f"The first 1,000 of {n_rows:,} rows" in said
        assert "--format csv" in said
    else:
        assert f"{n_rows:,} row" in said


def test_all_rows_are_in_json_and_csv(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    query = "select range as number from range(2500)"
    assert main(["sql", run, query, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2_500
    assert main(["sql", run, query, "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2_501
