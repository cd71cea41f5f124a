"""The only readers of JSON from outside. Each key may occur once; in files, depth and numbers are
bounded.

Python's reader accepts more than JSON allows. It keeps the last of repeated keys, where another
reader keeps the first. It also accepts NaN, integers of any length and halves of surrogate pairs,
which fit no column and no UTF-8."""

import json
from collections import Counter
from collections.abc import Mapping
from math import isfinite
from typing import Any

from mirror_ray.core.errors import UnfitError
from mirror_ray.core.untrusted import MAX_INT, is_storable

MOST_LEVELS = 32


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text as Python reads it. Raise ValueError if it is not JSON, is
    nested too deeply, or repeats a key of an object."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError(str(error)) from error


def json_copy(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain data as JSON would return it: tuples become lists."""
    return dict(json.loads(json.dumps(value)))


def read_json(text: str) -> Any:
    """Return the value of a JSON text. Raise UnfitError unless it is plain bounded data."""
    try:
        value = parse_json(text)
    except json.JSONDecodeError as error:
        raise _unfit(f"{error.msg} at character {error.pos:,}: {text[:60]!r}") from error
    # Thousands of digits, thousands of levels, or a repeated key.
    except ValueError as error:
        raise _unfit(str(error)) from error
    _check(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {counts.most_common(1)[0][0][:60]!r} twice in one object")
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
        "fix the file or download it again",
    )
