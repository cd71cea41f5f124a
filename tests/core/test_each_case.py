"""The tests' own loops: every case is run, and a failure names those that failed."""

import pytest

from support.each_case import each


def test_every_case_is_run_and_the_failed_ones_are_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    seen = []

    @each(("a", "b"), [(1, 1), pytest.param(1, 2, id="unequal"), (3, 4), (5, 5)])
    def check(a: int, b: int, tmp_path: object) -> None:
        seen.append((a, b, tmp_path))
        assert a == b

    with pytest.raises(ExceptionGroup, match="2 of 4 cases failed") as raised:
        check(tmp_path=tmp_path)
    assert seen == [(1, 1, tmp_path), (1, 2, tmp_path), (3, 4, tmp_path), (5, 5, tmp_path)]
    assert [error.__notes__ for error in raised.value.exceptions] == [
        ["in case unequal"],
        ["in case 3, 4"],
    ]


def test_no_case_is_a_failure() -> None:
    @each("a", [])
    def check(a: int) -> None:
        raise ValueError(a)

    with pytest.raises(AssertionError, match="no case"):
        check()
