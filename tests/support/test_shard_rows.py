"""How differences between rows that should be equal are reported."""

import pytest

from support.shard_rows import assert_same_rows

ROWS = [
    {"condition": "E1", "ask": 1, "attempts": 1, "user": "look"},
    {"condition": "E1", "ask": 2, "attempts": 1, "user": "look again"},
]


def test_the_first_differing_row_is_told_by_its_differing_columns_alone():
    others = [ROWS[0], ROWS[1] | {"attempts": 2, "user": "x" * 1000}]
    with pytest.raises(AssertionError) as told:
        assert_same_rows(others, ROWS)
    assert str(told.value).splitlines() == [
        "2 rows, expected 2; 1 differ, first number 1, condition=E1 ask=2:",
        "  attempts: 2, expected 1",
        f"  user: 'x{'x' * 198}… (1002), expected 'look again'",
    ]


@pytest.mark.parametrize(("found", "expected"), [(ROWS, ROWS[:1]), (ROWS[:1], ROWS)])
def test_a_row_without_a_partner_is_named(found, expected):
    with pytest.raises(AssertionError, match="without a partner is condition=E1 ask=2"):
        assert_same_rows(found, expected)


def test_a_missing_column_differs():
    with pytest.raises(AssertionError, match="attempts: absent, expected 1"):
        assert_same_rows([{"condition": "E1"}], [{"condition": "E1", "attempts": 1}])


def test_equal_rows_pass():
    assert_same_rows(ROWS, list(ROWS))


def test_what_the_server_heard_is_told_of_the_first_pair():
    asked = [{"condition": "E1", "ask": 1, "system": "s", "user": "u", "reply": "no"}]
    with pytest.raises(AssertionError, match="the server replied to it: of s and u"):
        assert_same_rows(asked, ROWS[:1], lambda system, user: f"of {system} and {user}")
