"""The reader on replies as chat models write them: what it reads is what they commit to."""

from collections import Counter
from collections.abc import Iterator

import duckdb
import pytest

from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.core.types import Reply
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.reply import Decision, read_reply
from support.each_case import each
from support.replies_of_selfid import STYLED, TRUTH, Styled

COMMITTED = [styled for styled in STYLED if styled.action is not None]


def read(styled: Styled, condition: str = "E1") -> Decision | None:
    reply = Reply(text=styled.text, finish_reason=styled.finish_reason)
    return read_reply(reply, CONDITIONS[condition])[1]


@pytest.fixture(scope="module")
def claims() -> Iterator[duckdb.DuckDBPyConnection]:
    """The macros that say what an identification commits to."""
    with duckdb.connect() as connection:
        connection.execute("create schema macro")
        for file in sql_files():
            if file.layer == "macro" and file.name.startswith("claim"):
                connection.execute(file.definition())
        yield connection


@each("styled", STYLED, ids=lambda styled: f"{styled.style}, {styled.claim}")
def test_no_reply_is_read_as_something_else(
    styled: Styled, claims: duckdb.DuckDBPyConnection
) -> None:
    decision = read(styled)
    if decision is None:
        return
    row = claims.execute("select macro.claim_color($1)", [decision.identification]).fetchone()
    assert row is not None
    assert (decision.action, decision.selected_cube, row[0]) == (
        styled.action,
        styled.cube,
        styled.claim,
    )


@each("styled", STYLED, ids=lambda styled: f"{styled.style}, {styled.claim}")
def test_without_cubes_the_same_is_read(styled: Styled) -> None:
    decision, with_cubes = read(styled, "E5"), read(styled)
    assert (decision and (decision.action, decision.identification)) == (
        with_cubes and (with_cubes.action, with_cubes.identification)
    )


def test_the_share_that_is_read() -> None:
    """All but thinking that never ends: what follows its tag may be a draft."""
    unread = {styled.style for styled in COMMITTED if read(styled) is None}
    assert unread == {"thinking that ends with the answer"}
    assert (len(STYLED), len(COMMITTED)) == (112, 95)


def test_half_of_the_replies_are_right() -> None:
    named = Counter(styled.claim == TRUTH for styled in COMMITTED if styled.claim is not None)
    assert abs(named[True] - named[False]) <= 2
