"""One check over many cases as one test, whose failure names each case that failed."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from _pytest.mark import ParameterSet


def each(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], object] = str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test once per case, as `pytest.mark.parametrize` would, but as a single test item.

    Fixtures are made once and shared by all cases.

    Args:
        names: of the test's parameters that a case sets.
        cases: a value per parameter; of one parameter the value itself. `pytest.param` may name it.
        ids: names a case without a name of its own, by its first value.
    """
    of_case = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    named = []
    for case in cases:
        if isinstance(case, ParameterSet):
            named.append((str(case.id), case.values))
        else:
            values = (case,) if len(of_case) == 1 else tuple(case)
            named.append((", ".join(str(ids(value)) for value in values), values))

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def run(**fixtures: object) -> None:
            assert named, "no case"
            failed: list[Exception] = []
            for name, values in named:
                try:
                    test(**dict(zip(of_case, values, strict=True)), **fixtures)
                except Exception as error:
                    error.add_note(f"in case {name}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(named)} cases failed", failed)

        others = [one for name, one in signature.parameters.items() if name not in of_case]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        del run.__wrapped__
        return run

    return decorate
