"""Databases whose views are copied say what those say whose views are made."""

import gc
import shutil
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis import warehouse
from mirror_ray.analysis.view_copies import WORTHWHILE, ViewCopies
from mirror_ray.analysis.warehouse import layers, open_run
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says

OFFERED = """
select schema_name, view_name as name from duckdb_views() where not internal union all
select schema_name, function_name from duckdb_functions() where schema_name = 'macro'
order by all
"""


def test_all_openings_of_a_process_offer_and_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_run(plan_for(tmp_path / "run", runs=2), lambda _: says("w"))
    copies = ViewCopies(layers())
    copied = []
    put = copies.put_into

    def noted(database: duckdb.DuckDBPyConnection) -> bool:
        copied.append(put(database))
        return copied[-1]

    monkeypatch.setattr(copies, "put_into", noted)
    monkeypatch.setattr(warehouse, "_copies", lambda: copies)
    offered, told = [], []
    for _ in range(WORTHWHILE + 2):
        with open_run(str(tmp_path / "run")) as connection:
            offered.append(connection.execute(OFFERED).fetchall())
            told.append(connection.execute("from metric.selfid order by all").fetchall())
    assert copied == [*[False] * WORTHWHILE, True, True]
    assert len(offered[0]) > 200
    assert told[0]
    assert all(one == offered[0] for one in offered)
    assert all(one == told[0] for one in told)


def test_they_go_with_who_made_them() -> None:
    copies = ViewCopies(layers())
    for _ in range(WORTHWHILE + 1):
        copies.put_into(duckdb.connect())
    folder = copies._folder
    assert folder is not None
    assert folder.is_dir()
    del copies
    gc.collect()
    assert not folder.exists()


def test_where_it_cannot_be_copied_the_database_is_told_to_make_them() -> None:
    copies = ViewCopies(layers())
    asked = [copies.put_into(duckdb.connect()) for _ in range(WORTHWHILE + 1)]
    assert asked[-1]
    with duckdb.connect(config={"enable_external_access": "false"}) as confined:
        assert not copies.put_into(confined)
    assert copies._folder is not None
    shutil.rmtree(copies._folder)
    assert not copies.put_into(duckdb.connect())
