"""One rule for colours of claims and cubes: a shade is another colour, brightness is none."""

from collections.abc import Iterator

import duckdb
import pytest

from mirror_ray.reading.walking.coercion import selected
from sim_assets.colors import COLOR_NAMES
from support.claim_macros import claim_macros


@pytest.fixture(scope="module")
def claims() -> Iterator[duckdb.DuckDBPyConnection]:
    with claim_macros() as connection:
        yield connection


@pytest.mark.parametrize("color", COLOR_NAMES)
def test_claims_and_cubes_are_of_the_palette_by_one_rule(
    color: str, claims: duckdb.DuckDBPyConnection
) -> None:
    for words, is_color in (
        (color, True),
        (color.upper(), True),
        (f"bright {color}", True),
        (f"pure {color}", True),
        (f"vivid {color}", True),
        (f"dark {color}", False),
        (f"light {color}", False),
        (f"pale {color}", False),
        (f"crimson {color}", False),
        (f"{color}ish", False),
        (f"{color} or black", False),
    ):
        row = claims.execute("select macro.claim_color($1)", [words]).fetchone()
        assert row is not None
        assert (row[0] == color) == is_color, words
        assert (selected(words) == color) == is_color, words
