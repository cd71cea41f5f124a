"""Checks rows strictly against their columns, so that a family's error is named at its place.

Arrow itself would take 1.5 as the integer 1, bytes as text and a word as a list of letters. Every
row of a paid reply passes here, so a value of exactly the column's type is not examined further."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import NoneType
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from mirror_ray.core.errors import RecordError

_Row: TypeAlias = Mapping[str, Any]
_Check: TypeAlias = Callable[[Any], bool]

_EXACT_IN_A_DOUBLE = 2**53


class Columns:
    """The columns of a table, as a check for rows.

    Args:
        schema: booleans, texts, signed integers, doubles, and lists and mappings of them.
        ignored: further names that rows may have.

    Raises:
        ValueError: a column of another type.
    """

    def __init__(self, schema: pa.Schema, ignored: Sequence[str] = ()) -> None:
        self.schema = schema
        self._fields = tuple(schema)
        self._known = frozenset((*schema.names, *ignored))
        self._checks = tuple((field.name, *_check_of(field)) for field in schema)

    def values(self, rows: Sequence[_Row], of: str) -> list[list[Any]]:
        """Return each row's values in column order, None for absent ones. Raise RecordError, naming
        `of`, for a value of another type, a forbidden NULL or an unknown column."""
        found = []
        for position, row in enumerate(rows):
            if not self._known.issuperset(row):
                unknown = sorted(map(str, row.keys() - self._known))
                raise RecordError(
                    f"{of}: unknown columns {unknown}; add them to the family's columns"
                )
            values = []
            for place, (name, kinds, check) in enumerate(self._checks):
                value = row.get(name)
                # Inlined `_is_plain`: calling it would take as long as everything it checks.
                if type(value) not in kinds or (
                    check is not None and value is not None and not check(value)
                ):
                    try:
                        value = _kept(value, self._fields[place])
                    except _MisfitError:
                        raise _misfit(value, self._fields[place], of, position) from None
                values.append(value)
            found.append(values)
        return found

    def fitting(self, rows: Sequence[_Row]) -> list[dict[str, Any]]:
        """Return the rows with NULL (or, if forbidden, a zero) for each unfit value."""
        return [
            {field.name: _fitting(row.get(field.name), field) for field in self._fields}
            for row in rows
        ]

    def arrays(self, values: Sequence[Sequence[Any]]) -> list[pa.Array]:
        """Return the columns of rows' values; lone surrogates become visible escapes."""
        columns = list(zip(*values, strict=True)) if values else [()] * len(self._fields)
        return [
            _array(column, field.type) for column, field in zip(columns, self._fields, strict=True)
        ]


def table_of(rows: Sequence[_Row], schema: pa.Schema, *, of: str) -> pa.Table:
    """Return `rows` under `schema`, see `Columns.values`. Lone surrogates, which models write and
    UTF-8 cannot, become visible escapes."""
    columns = Columns(schema)
    return pa.Table.from_arrays(columns.arrays(columns.values(rows, of)), schema=schema)


def escaped_surrogates(value: Any) -> Any:
    """Escape lone surrogates in texts, also within lists and mappings, as in recorded rows."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list | tuple):
        return [escaped_surrogates(one) for one in value]
    if isinstance(value, dict):
        return {name: escaped_surrogates(one) for name, one in value.items()}
    return value


class _MisfitError(Exception):
    """The value does not fit the column."""


def _is_plain(value: Any, kinds: frozenset[type], check: _Check | None) -> bool:
    return type(value) in kinds and (check is None or value is None or check(value))


@lru_cache(maxsize=1024)
def _check_of(field: pa.Field) -> tuple[frozenset[type], _Check | None]:
    kinds, check = _check_of_type(field.type)
    return (frozenset((*kinds, NoneType)) if field.nullable else frozenset(kinds)), check


def _check_of_type(kind: pa.DataType) -> tuple[tuple[type, ...], _Check | None]:
    if pa.types.is_boolean(kind):
        return (bool,), None
    if pa.types.is_string(kind):
        return (str,), None
    if pa.types.is_signed_integer(kind):
        above = 1 << (kind.bit_width - 1)
        return (int,), lambda value: -above <= value < above
    if pa.types.is_float64(kind):
        return (
            float,
            int,
        ), lambda value: type(value) is float or -_EXACT_IN_A_DOUBLE <= value <= _EXACT_IN_A_DOUBLE
    if pa.types.is_list(kind):
        part_kinds, part_check = _check_of(kind.value_field)
        return (list, tuple), lambda parts: all(
            _is_plain(part, part_kinds, part_check) for part in parts
        )
    if pa.types.is_struct(kind):
        names = frozenset(field.name for field in kind)
        checks = tuple((field.name, *_check_of(field)) for field in kind)
        return (
            (dict,),
            lambda value: (
                names.issuperset(value)
                and all(_is_plain(value.get(name), kinds, check) for name, kinds, check in checks)
            ),
        )
    raise ValueError(f"columns of type {kind} cannot be kept")


def _kept(value: Any, field: pa.Field) -> Any:
    """Return a value in the Python type that a column keeps; raise _MisfitError if it does not
    fit."""
    kinds, check = _check_of(field)
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) in (list, tuple) and list in kinds:
        return [_kept(part, field.type.value_field) for part in value]
    if type(value) is dict and dict in kinds and {part.name for part in field.type} >= set(value):
        return {part.name: _kept(value.get(part.name), part) for part in field.type}
    if isinstance(value, str):
        value = str.__str__(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        value = int(value) if isinstance(value, int) else float(value)
    if not _is_plain(value, kinds, check):
        raise _MisfitError
    return value


def _fitting(value: Any, field: pa.Field) -> Any:
    try:
        return _kept(value, field)
    except _MisfitError:
        if field.nullable:
            return None
        return "" if pa.types.is_string(field.type) else pa.scalar(0).cast(field.type).as_py()


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array(escaped_surrogates(values), kind)


def _misfit(value: Any, field: pa.Field, of: str, position: int) -> RecordError:
    try:
        shown = repr(value)[:80]
    except (ValueError, RecursionError):
        shown = "a value too long to show"
    got = "NULL" if value is None else f"got {shown} ({type(value).__name__})"
    return RecordError(
        f"{of}: column {field.name!r}, row {position}: {got}, but it must be {field.type}"
    )
