"""Ranges in names: ``mock/steady-{01..30}`` means thirty names, from ``mock/steady-01`` on."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mirror_ray.core.errors import UnfitError

MOST_IN_RANGE = 10_000

_RANGE = re.compile(r"\{([0-9]{1,5})\.\.([0-9]{1,5})\}")
_BRACES = re.compile(r"\{[^{}]*\}")


def names_in_range(name: str) -> tuple[str, ...]:
    """Return the names in a name's range, or any other name alone. Raise UnfitError for two ranges,
    a range that runs backwards, or a range of letters."""
    return tuple(with_number(name, token, number) for token, number in _numbers(name))


def with_numbered_entries(entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return entries by name, one for each number of a range. The number also replaces the range in
    the entry's texts. An UnfitError names the key of an invalid range, or of one that is too
    long."""
    found: dict[str, Any] = {}
    for name, entry in entries.items():
        try:
            for token, number in _numbers(name):
                found[with_number(name, token, number)] = with_number(entry, token, number)
                if len(found) > MOST_IN_RANGE:
                    raise UnfitError(
                        f"more than {MOST_IN_RANGE:,} names",
                        f"at most {MOST_IN_RANGE:,}",
                        "leave out what the sweep does not use",
                    )
        except UnfitError as error:
            raise UnfitError(error.got, error.allowed, error.fix, name) from error
    return found


def with_number(value: Any, token: str, number: str) -> Any:
    """Return the value with a number instead of a range, in all its texts."""
    if not token:
        return value
    if isinstance(value, str):
        return value.replace(token, number)
    if isinstance(value, list):
        return [with_number(inner, token, number) for inner in value]
    if isinstance(value, dict):
        return {
            with_number(key, token, number): with_number(inner, token, number)
            for key, inner in value.items()
        }
    return value


def _numbers(name: str) -> Iterator[tuple[str, str]]:
    ranges = _RANGE.findall(name)
    if sum(".." in one for one in _BRACES.findall(name)) > len(ranges):
        raise _no_range(name, "a range of letters or signs, or of more than five digits")
    if not ranges:
        yield "", ""
        return
    (first, last), *others = ranges
    if others or int(last) < int(first):
        raise _no_range(name, "several ranges" if others else "a range that runs backwards")
    width = len(first) if first.startswith("0") else 1
    for number in range(int(first), int(last) + 1):
        yield f"{{{first}..{last}}}", f"{number:0{width}d}"


def _no_range(name: str, what: str) -> UnfitError:
    return UnfitError(
        f"{name!r}, with {what}",
        "one range of whole numbers, from the lower to the higher",
        "e.g. mock/steady-{01..30}",
    )
