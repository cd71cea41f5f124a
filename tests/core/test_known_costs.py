"""An unknown cost is unknown: never 0, and a sum without it is at least so much."""

from itertools import product

import duckdb
import pytest

from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.core.known_costs import is_priced, known_usd

COSTS = (None, 0.0, 0.25)


@pytest.mark.parametrize(
    ("own_usd", "failed_usd", "known", "priced"),
    [
        (None, [], None, False),
        (None, [0.0], None, False),  # a refusal for the rate, then a reply of unknown price
        (None, [0.25], 0.25, False),
        (0.25, [None], 0.25, False),
        (0.0, [None], None, False),
        (0.0, [0.0], 0.0, True),
        (0.25, [0.5, 0.0], 0.75, True),
    ],
)
def test_a_sum_is_whole_only_if_every_part_is_known(own_usd, failed_usd, known, priced):
    assert known_usd(own_usd, failed_usd) == known
    assert is_priced(known, failed_usd, "none") is priced


def test_what_was_rejected_costs_nothing_beyond_the_attempts_before():
    assert is_priced(known_usd(0.0, [0.5]), [0.5], "rate_limit")
    assert not is_priced(known_usd(None, [0.5]), [0.5], "server")


def test_sql_says_the_same():
    (macro,) = (file for file in sql_files() if file.name == "is_priced")
    with duckdb.connect() as connection:
        connection.execute(f"create schema macro; {macro.definition()}")
        for cost, first, second, kind in product(
            (*COSTS, 0.5), COSTS, COSTS, ("none", "rate_limit", "timeout", "budget")
        ):
            failed = [{"cost_usd": first}, {"cost_usd": second}]
            (said,) = connection.execute(
                "select macro.is_priced($1, $2::struct(cost_usd double)[], $3)",
                [cost, failed, kind],
            ).fetchone()
            assert said == is_priced(cost, [first, second], kind), (cost, failed, kind)
