"""Tails of distributions: small probabilities keep their digits, and none becomes 0."""

from collections.abc import Iterator
from itertools import product

import duckdb
import pytest
from scipy.stats import binom, chi2
from scipy.stats import t as student

from mirror_ray.analysis.sql_files import sql_files
from support.each_case import each


@pytest.fixture(scope="module")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("create schema macro")
        for file in sql_files():
            if file.layer == "macro":
                connection.execute(file.definition())
        yield connection


def value(macros: duckdb.DuckDBPyConnection, call: str) -> float:
    (row,) = macros.execute(f"select macro.{call}").fetchall()
    return float(row[0])


@each(
    ("x", "df"),
    product((0.001, 0.5, 3.0, 6.9, 7.1, 50.0, 200.0, 503.0, 1_300.0), (1, 2, 3, 5, 19, 100, 500)),
)
def test_chi_squared(macros: duckdb.DuckDBPyConnection, x: float, df: int) -> None:
    expected = chi2.sf(x, df)
    got = value(macros, f"chi2_above({x}::double, {df})")
    assert got == pytest.approx(expected, rel=1e-9)
    assert (got > 0) == (expected > 0)


@each(
    ("t", "df"),
    product((0.0, 0.3, -1.7, 1.74, 3.0, 9.0, -40.0, 1e4), (1, 2, 3, 10, 37, 101, 1_000)),
)
def test_students_t(macros: duckdb.DuckDBPyConnection, t: float, df: int) -> None:
    got = value(macros, f"t_two_sided({t}::double, {df})")
    assert got == pytest.approx(2 * student.sf(abs(t), df), rel=1e-9)


@pytest.mark.parametrize(("n", "p"), [(28, 0.25), (336, 0.25), (1_000, 0.5), (2_000, 0.2)])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.25, 0.6, 0.97])
def test_binomial(macros: duckdb.DuckDBPyConnection, n: int, p: float, share: float) -> None:
    k = int(share * n)
    at_least = value(macros, f"binomial_at_least({k}, {n}, {p})")
    at_most = value(macros, f"binomial_at_least({n - k}, {n}, 1 - {p})")
    assert at_least == pytest.approx(binom.sf(k - 1, n, p), rel=1e-9, abs=1e-300)
    assert at_most == pytest.approx(binom.cdf(k, n, p), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("b", "c"), [(0, 200), (3, 400), (250, 20)])
def test_mcnemar(macros: duckdb.DuckDBPyConnection, b: int, c: int) -> None:
    expected = 2 * binom.cdf(min(b, c), b + c, 0.5)
    assert value(macros, f"mcnemar_p({b}, {c})") == pytest.approx(expected, rel=1e-9)
