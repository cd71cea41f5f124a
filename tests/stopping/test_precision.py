"""Wilson's interval as the views have it."""

import duckdb
import pytest

from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.stopping.deciding import wilson_interval


@pytest.mark.parametrize(("total", "n"), [(0, 5), (5, 5), (7, 21), (3.5, 9), (100, 400)])
def test_it_is_that_of_the_views(total, n):
    connection = duckdb.connect()
    connection.execute("create schema macro")
    for file in sql_files():
        if file.name.startswith("wilson"):
            connection.execute(file.definition())
    ends = connection.execute(
        "select macro.wilson_low($total, $n), macro.wilson_high($total, $n)",
        {"total": total, "n": n},
    ).fetchone()
    found = wilson_interval(total, n)
    assert (found.low, found.high) == pytest.approx(ends)
    assert found.estimate == total / n


def test_no_units_have_no_share():
    with pytest.raises(ValueError, match="no units"):
        wilson_interval(0.0, 0)
