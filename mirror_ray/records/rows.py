"""Rows become Arrow tables: strictly, so that a family's slip is named where it happens.

Knows how Python values fit column types; does not know which columns there are. Arrow itself would
take 1.5 as the integer 1, bytes as text and a word as a list of letters: none of that passes here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import NoneType
from typing import Any

import numpy as np
import pyarrow as pa

from mirror_ray.errors import RecordError

Row = Mapping[str, Any]

_ACCEPTED: tuple[tuple[Callable[[pa.DataType], bool], tuple[type, ...]], ...] = (
    (pa.types.is_boolean, (bool, np.bool_)),
    (pa.types.is_string, (str,)),
    (pa.types.is_integer, (int, np.integer)),
    (pa.types.is_floating, (int, float, np.integer, np.floating)),
)


def table_of(rows: Sequence[Row], schema: pa.Schema, *, of: str) -> pa.Table:
    """`rows` under `schema`, columns in the schema's order; an absent nullable column is NULL.

    Lone surrogates, which models do write and UTF-8 cannot, are kept as visible escapes.

    Args:
        of: whose rows these are, for the error, e.g. ``steps of episode 0123456789abcdef``.

    Raises:
        RecordError: a value of another type, a NULL where none may be, or an unknown column.
    """
    unknown = sorted({name for row in rows for name in row} - set(schema.names))
    if unknown:
        raise RecordError(f"{of}: unknown columns {unknown}; add them to the family's columns")
    fields = list(schema)
    if all(_is_whole(rows, field) for field in fields):
        try:
            # In one go: each of the hundred columns of an episode would take a tenth of this.
            whole = pa.array(rows, type=pa.struct(fields))
            return pa.Table.from_arrays(whole.flatten(), schema=schema)
        except (UnicodeEncodeError, pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            pass  # Column by column, which mends a text or names the value.
    return pa.Table.from_arrays([_column(rows, field, of) for field in fields], schema=schema)


@lru_cache(maxsize=256)
def _accepted_by(kind: pa.DataType) -> tuple[type, ...] | None:
    """What a value's type may be; None where its parts have to be looked at, or anything goes."""
    return next((accepted for is_kind, accepted in _ACCEPTED if is_kind(kind)), None)


def _is_whole(rows: Sequence[Row], field: pa.Field) -> bool:
    """Whether all values of a column are there that must be, and of types that it takes."""
    values = [row.get(field.name) for row in rows]
    return (field.nullable or None not in values) and _all_fit(values, field.type)


def _column(rows: Sequence[Row], field: pa.Field, of: str) -> pa.Array:
    """A column on its own, so that an error can name its value."""
    values = [row.get(field.name) for row in rows]
    if not field.nullable and None in values:
        raise RecordError(
            f"{of}: column {field.name!r}, row {values.index(None)}: NULL, "
            f"but it must be {field.type}"
        )
    if not _all_fit(values, field.type):
        position = next(i for i, value in enumerate(values) if not _all_fit([value], field.type))
        raise _misfit(values[position], field, of, position)
    try:
        return pa.array(values, type=field.type)
    except UnicodeEncodeError:
        return _column([{field.name: encodable(value)} for value in values], field, of)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        for position, value in enumerate(values):
            try:
                pa.array([value], type=field.type)
            except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
                raise _misfit(value, field, of, position) from error
        raise


def _all_fit(values: Sequence[Any], kind: pa.DataType) -> bool:
    """Whether all values are of types that `kind` takes; a look at each type, not at each value."""
    types = set(map(type, values)) - {NoneType}
    if not types:
        return True
    if (accepted := _accepted_by(kind)) is not None:
        return all(
            issubclass(one, accepted) and (one is not bool or bool in accepted) for one in types
        )
    if pa.types.is_list(kind):
        parts = chain.from_iterable(value for value in values if value is not None)
        return types <= {list, tuple} and _all_fit(list(parts), kind.value_type)
    if pa.types.is_struct(kind):
        present = [value for value in values if value is not None]
        return (
            types <= {dict}
            and all(set(value) <= {field.name for field in kind} for value in present)
            and all(
                _all_fit([value.get(field.name) for value in present], field.type) for field in kind
            )
        )
    return True


def _misfit(value: Any, field: pa.Field, of: str, position: int) -> RecordError:
    return RecordError(
        f"{of}: column {field.name!r}, row {position}: got {repr(value)[:80]} "
        f"({type(value).__name__}), but it must be {field.type}"
    )


def encodable(value: Any) -> Any:
    """Texts, in lists and mappings too, as a row keeps them: lone surrogates as visible escapes."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list | tuple):
        return [encodable(one) for one in value]
    if isinstance(value, dict):
        return {name: encodable(one) for name, one in value.items()}
    return value
