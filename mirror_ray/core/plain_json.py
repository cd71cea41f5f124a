"""JSON from outside as plain data, its depth, numbers and texts bounded.

Python's reader accepts more than JSON has: NaN, integers of any length, halves of surrogate pairs,
which fit no column and no UTF-8.
"""

import json
from math import isfinite
from typing import Any

from mirror_ray.core.errors import UnfitError
from mirror_ray.core.untrusted import MAX_INT, is_storable

MOST_LEVELS = 32


def read_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        UnfitError: it is no JSON, or more than plain bounded data.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise _unfit(f"{error.msg} at character {error.pos:,}: {text[:60]!r}") from error
    # Digits by the thousand, and levels by the thousand.
    except (ValueError, RecursionError) as error:
        raise _unfit(str(error)) from error
    _check(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _unfit(f"the key {key[:60]!r} twice in one object")
        found[key] = value
    return found


def _check(value: object) -> None:
    level: list[object] = [value]
    for _ in range(MOST_LEVELS):
        below: list[object] = []
        for one in level:
            if isinstance(one, str):
                if not is_storable(one):
                    raise _unfit(f"characters that cannot be stored in {one[:60]!r}")
            elif isinstance(one, dict):
                below += one
                below += one.values()
            elif isinstance(one, list):
                below += one
            elif isinstance(one, (int, float)) and not (
                abs(one) <= MAX_INT if isinstance(one, int) else isfinite(one)
            ):
                raise _unfit("a number beyond ±2^63, or not finite")
        if not below:
            return
        level = below
    raise _unfit(f"more than {MOST_LEVELS} levels")


def _unfit(got: str) -> UnfitError:
    return UnfitError(
        got,
        f"JSON of at most {MOST_LEVELS} levels, with finite numbers within ±2^63 and texts without"
        " control characters or surrogates, each key once in its object",
        "correct the file, or get it anew",
    )
