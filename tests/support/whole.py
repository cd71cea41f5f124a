"""How much of the exhaustive proofs is played: a fixed part in `make test`, all of it in
`make test-whole`.

A part holds the same cases in every run. Every line of a test runs in both; what only the whole has
is more cases of the same assertions. Why the part is enough stands beside each.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")

VARIABLE = "MIRROR_RAY_TESTS"
IS_WHOLE = os.environ.get(VARIABLE) == "whole"
"""Read as modules are imported, since what they are parametrised with depends on it."""


def one_in(every: int, cases: Iterable[T]) -> list[T]:
    """All cases with `make test-whole`, else every so-many-th from the first on."""
    return list(cases)[:: 1 if IS_WHOLE else every]


def examples(part: int, whole: int) -> int:
    """How many examples hypothesis draws."""
    return whole if IS_WHOLE else part


def mostly_thorough(every: int, cases: Iterable[object]) -> list[ParameterSet]:
    """Parameters: `make test` plays one in so many, from the first on, and `make test-thorough` the
    others. A tuple is a value per parameter."""
    mark = pytest.mark.thorough("other cases of the same test")
    plain = (case if isinstance(case, tuple) else (case,) for case in cases)
    found = [case if isinstance(case, ParameterSet) else pytest.param(*case) for case in plain]
    return [
        case._replace(marks=(*case.marks, mark)) if at % every else case
        for at, case in enumerate(found)
    ]
