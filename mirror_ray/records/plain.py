"""Rows whose values are just what their columns take: told by a look at each value's type.

Knows how to tell that Arrow would take a row as it is, strictly, without asking Arrow. What it
passes, `table_of` passes; what it does not is `table_of`'s to mend or to refuse.
"""

from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, TypeAlias

import pyarrow as pa

from mirror_ray.records.rows import Row

Check: TypeAlias = Callable[[Any], bool]

_EXACT_IN_A_DOUBLE = 2**53


class PlainRows:
    """The columns of a table, as a test of rows.

    Args:
        fields: names, types and whether a value may be absent; booleans, texts, signed integers,
            doubles, and lists and mappings of them.

    Raises:
        ValueError: a column of another type.
    """

    def __init__(self, fields: Sequence[pa.Field]) -> None:
        self._names = tuple(field.name for field in fields)
        self._known = frozenset(self._names)
        self._checks = tuple(_check_of(field) for field in fields)

    def values(self, row: Row) -> tuple[Any, ...] | None:
        """A row's values in the order of the columns; None where it is not plain."""
        if not self._known.issuperset(row):
            return None
        values = tuple(map(row.get, self._names))
        for value, (kinds, check) in zip(values, self._checks, strict=True):
            if type(value) not in kinds:
                return None
            if check is not None and value is not None and not check(value):
                return None
        return values


def _check_of(field: pa.Field) -> tuple[frozenset[type], Check | None]:
    """The types that values of a column may have exactly, and what else they have to be."""
    kinds, check = _check_of_type(field.type)
    return (frozenset((*kinds, NoneType)) if field.nullable else frozenset(kinds)), check


def _check_of_type(kind: pa.DataType) -> tuple[tuple[type, ...], Check | None]:
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
        return (list, tuple), _parts_are(kind.value_field)
    if pa.types.is_struct(kind):
        return (dict,), _is_mapping_of(list(kind))
    raise ValueError(f"columns of type {kind} cannot be kept")


def _parts_are(field: pa.Field) -> Check:
    kinds, check = _check_of(field)

    def are(parts: Sequence[Any]) -> bool:
        return all(
            type(part) in kinds and (check is None or part is None or check(part)) for part in parts
        )

    return are


def _is_mapping_of(fields: Sequence[pa.Field]) -> Check:
    plain = PlainRows(fields)
    return lambda value: plain.values(value) is not None
