"""A hash of all fields of a view, which identifies it. Simulators cache pictures by this key, and a
plan counts by it how many pictures have to be rendered."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Any

from mirror_ray.core.types import View

_SCALARS = frozenset({str, bytes, int, float, bool, type(None)})


def view_key(view: View) -> bytes | None:
    """Return the SHA-256 of a view's kind and all its fields, at every depth.

    Values of different types, and 0.0 and -0.0, differ. Returns None if a field contains anything
    but dataclasses, tuples, texts, numbers and None: such a view is rendered every time."""
    try:
        return sha256(repr(_plain(view)).encode()).digest()
    except TypeError:
        return None


def _plain(value: Any) -> object:
    """Return the value for `repr`: tuples for its tuples, lists for dataclasses (name and
    fields)."""
    kind: Any = type(value)
    if kind in _SCALARS:
        return value
    if kind is tuple:
        return tuple(_each_plain(value))
    name, fields_of = _shape(kind)
    return [name, *_each_plain(fields_of(value))]


def _each_plain(values: Iterable[Any]) -> list[object]:
    # Most values are scalars: a room has hundreds, and a call for each would cost as much as the
    # hash.
    return [value if type(value) in _SCALARS else _plain(value) for value in values]


@lru_cache(maxsize=64)
def _shape(kind: type) -> tuple[str, Callable[[Any], tuple[Any, ...]]]:
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is not a plain value")
    names = [one.name for one in fields(kind)]
    return f"{kind.__module__}.{kind.__qualname__}", _reader_of(names)


def _reader_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)
