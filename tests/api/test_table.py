"""A table as pandas, Polars and Arrow have it, and as a notebook shows it."""

import sys

import polars as pl
import pyarrow as pa
import pytest

from mirror_ray.api.table import Table
from mirror_ray.core.errors import MirrorRayError
from support.viewed_run import HOSTILE

ROWS = pa.table({"n": [1, None, 3], "share": [0.5, None, 1 / 3], "said": ["a", None, HOSTILE[:-1]]})


def test_every_form_has_the_same_rows() -> None:
    table = Table(ROWS)
    assert table.to_arrow() is ROWS
    assert table.to_polars().to_dicts() == list(table) == ROWS.to_pylist()
    assert table.to_pandas()["n"].isna().tolist() == [False, True, False]
    assert pl.DataFrame(table).equals(table.to_polars())
    assert (len(table), table.columns) == (3, ("n", "share", "said"))


def test_a_notebook_shows_words_and_runs_none() -> None:
    shown = Table(ROWS)._repr_html_()
    assert "0.3333" in shown
    assert "<td>–</td>" in shown
    assert "3 rows × 3 columns" in shown
    for harm in ("<script", "<img", "<svg", "<a ", "\u202e", "\x00"):
        assert harm not in shown
    hostile_name = Table(pa.table({"<script>\u202e": ["x"]}))
    assert "<script" not in hostile_name._repr_html_()
    assert "\u202e" not in repr(hostile_name)


def test_what_is_shown_is_bounded() -> None:
    column = pa.array(["x" * 1_000] * 5_000)
    wide = Table(pa.table({f"c{n}": column for n in range(200)}))
    shown = wide._repr_html_()
    assert len(shown) < 100_000
    assert "5,000 rows × 200 columns" in shown
    assert len(repr(wide)) < 200
    assert "<table>" in Table(pa.table({}))._repr_html_()


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_package_that_is_missing_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("mirror_ray.api.table.find_spec", lambda _: None)
    with pytest.raises(MirrorRayError, match=f"pip install {package}"):
        getattr(Table(ROWS), f"to_{package}")()
