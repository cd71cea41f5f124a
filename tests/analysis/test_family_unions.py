"""Views that unite all families' rows, in a run that has some families alone."""

from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from mirror_ray.analysis import warehouse
from mirror_ray.analysis.sql_files import unions_of
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from support.analysis.flipset_runs import varied_answers, write_flipset_run
from support.whole import one_in


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_flipset_run(folder, varied_answers())
    return folder


def columns(connection: DuckDBPyConnection, query: str) -> list[tuple[str, str]]:
    return [(name, kind) for name, kind, *_ in connection.sql(f"describe {query}").fetchall()]


ONE_ALONE = pytest.mark.thorough("one family below: each of them binds all views")


@pytest.mark.parametrize(
    "family",
    ["selfid", *(pytest.param(name, marks=ONE_ALONE) for name in METRICS if name != "selfid")],
)
def test_a_view_has_the_same_columns_whichever_family_a_run_has(
    family: str, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warehouse, "_stated_families", lambda _: frozenset(METRICS))
    with open_run(str(run)) as connection:
        for file in one_in(3, unions_of({family})):
            assert columns(connection, file.text) == columns(connection, f"from {file.view}")


@pytest.mark.parametrize("view", ["metric.estimates", "metric.catalogue", "twin.scores"])
def test_its_rows_are_those_of_all_families(
    view: str, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows() -> list[tuple[object, ...]]:
        with open_run(str(run), hold=True) as connection:
            found = connection.execute(f"from {view}").fetchall()
        return sorted(
            (tuple(round(x, 9) if isinstance(x, float) else x for x in row) for row in found),
            key=str,
        )

    some = rows()
    monkeypatch.setattr(warehouse, "_stated_families", lambda _: frozenset(METRICS))
    assert some == rows()
    assert some


def test_a_branch_is_left_out_for_a_family_without_rows(run: Path) -> None:
    with open_run(str(run)) as connection:
        ((text,),) = connection.sql(
            "select sql from duckdb_views() where schema_name = 'metric' and view_name = 'scores'"
        ).fetchall()
    assert "flipset" in text
    assert "marktest" not in text
