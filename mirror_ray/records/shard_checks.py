"""Checks that a shard, which may be damaged or from outside, was made by this program: its columns,
and the values that are names."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeGuard

import pyarrow as pa

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.storage import is_address

MOST_NAME_CHARS = 1_000
"""Most characters of a name of a model or a variant."""

_NAMES = ("sweep", "family", "condition", "model", "variant", "role", "error_kind")
_IDS = ("episode_id", "cell_id")
_COUNTS = ("scene_seed", "run", "take", "ask", "step", "n_steps", "n_asks", "attempts")
_FIGURES = ("cost_usd", "latency_s", "wall_s", "tokens_in", "tokens_out", "tokens_cached",
            "tokens_image")  # fmt: skip
_LISTS = ("parse_fixes", "failed_attempts")
MOST_COUNT = 2**31 - 2
"""The largest count: the next take's number must fit too."""

_FAMILY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,62}")
_ID = "^[0-9A-Za-z_-]{1,64}$"
"""Files are named by ids. This program's ids are 16 hexadecimal digits."""

_KINDS: tuple[tuple[str, Callable[[pa.DataType], bool]], ...] = (
    ("text", lambda kind: pa.types.is_string(kind) or pa.types.is_large_string(kind)),
    ("whole number", pa.types.is_integer),
    ("number", pa.types.is_floating),
    ("truth value", pa.types.is_boolean),
    ("list", lambda kind: pa.types.is_list(kind) or pa.types.is_large_list(kind)),
    ("struct", pa.types.is_struct),
)


def damaged(path: str, got: str) -> RunDirError:
    """Return the error for a file that is not a shard of this program."""
    return RunDirError(
        f"{path}: a Parquet shard that cannot be read",
        one_printable_line(got),
        "the files this program wrote",
        "restore the file from a copy, or use another --out",
    )


def damaged_one(paths: Iterable[str], read: Callable[[str], object], got: Exception) -> RunDirError:
    """Return the error for the first of several shards that could not be read.

    Args:
        read: reads a whole shard, or raises.
        got: the result of reading them together.
    """
    for path in paths:
        try:
            read(path)
        except RunDirError as error:
            return error
        except (pa.ArrowException, OSError) as error:
            return damaged(path, str(error))
    return got if isinstance(got, RunDirError) else damaged("the shards", str(got))


def check_size(path: str, n_rows: int, n_bytes: int) -> None:
    """Refuse more rows than bytes: each row has a unique id or time, and a few bytes may expand to
    more rows than fit into memory."""
    if n_rows > n_bytes:
        raise damaged(path, f"{n_rows:,} rows in {n_bytes:,} bytes")


def is_fault(error: Exception, out: str) -> TypeGuard[OSError]:
    """Return whether the storage could not be read, rather than the file being no shard. Arrow
    raises `OSError` for both; only the system's own errors have a number."""
    return isinstance(error, OSError) and (is_address(out) or error.errno is not None)


def check_schema(path: str, found: pa.Schema, expected: pa.Schema) -> None:
    """Refuse a shard whose columns have other types, or that lacks a mandatory column. The
    RunDirError names it. Further columns belong to another version and need a valid name."""
    for name in found.names:
        if not _COLUMN.fullmatch(name):
            raise damaged(path, f"a column named {name[:80]!r}")
    if len(set(found.names)) < len(found.names):
        raise damaged(path, "several columns of one name")
    for field in expected:
        if field.name not in found.names:
            if not field.nullable:
                raise damaged(path, f"no column {field.name!r}")
            continue
        there = found.field(field.name).type
        is_empty = pa.types.is_null(there) and not field.nullable
        if is_empty or not _is_like(there, field.type):
            raise damaged(
                path, f"column {field.name!r} is {str(there)[:200]}, where {field.type} belongs"
            )


def sound(path: str, table: pa.Table, expected: pa.Schema) -> pa.Table:
    """Return the table with its known columns in their types. Missing columns, impossible costs and
    impossible counts become NULL. Raise RunDirError, naming `path` (the shard, or a word for
    several), for a column of another type or an invalid name."""
    check_schema(path, table.schema, expected)
    for field in expected:
        if field.name not in table.column_names:
            column = pa.nulls(table.num_rows, field.type)
            table = table.append_column(field, column)
            continue
        column = table[field.name]
        try:
            column = column.cast(field.type)
            # Arrow does not look whether the bytes of a text are text.
            column.validate(full=True)
        except pa.ArrowException as error:
            raise damaged(path, f"column {field.name!r}: {error}") from error
        if column.null_count and not field.nullable:
            raise damaged(path, f"column {field.name!r} without a value")
        column = _checked(path, field.name, column)
        table = table.set_column(table.column_names.index(field.name), field, column)
    return table


def _checked(path: str, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    # Imported late, because it takes memory in every process that can name the Recorder.
    import pyarrow.compute as pc  # noqa: PLC0415

    if name in _IDS:
        is_id = pc.match_substring_regex(column, _ID)
        _refuse(path, name, column.filter(pc.invert(is_id)), "an id")
    elif name in _NAMES:
        wrong = [one for one in pc.unique(column).to_pylist() if not _is_name(name, one)]
        _refuse(path, name, wrong, "a name of one printable line")
    elif name in _COUNTS:
        least = 1 if name in ("take", "ask") else 0
        most = 2**63 - 1 if name == "scene_seed" else MOST_COUNT
        in_bounds = pc.and_(pc.greater_equal(column, least), pc.less_equal(column, most))
        _refuse(path, name, column.filter(pc.invert(in_bounds)), f"a number from {least} on")
    elif name in _FIGURES:
        known = pc.greater_equal(column, 0)
        if pa.types.is_floating(column.type):
            known = pc.and_(known, pc.is_finite(column))
        return pc.if_else(known, column, pa.scalar(None, column.type))
    elif name in _LISTS and pc.list_flatten(column).null_count:
        raise damaged(path, f"nothing as an item of {name}")
    return column


def _refuse(path: str, name: str, wrong: "pa.ChunkedArray | Sequence[object]", wanted: str) -> None:
    if len(wrong):
        shown = wrong[0].as_py() if isinstance(wrong, pa.ChunkedArray) else wrong[0]
        raise damaged(path, f"{str(shown)[:80]!r} as {name}, where {wanted} belongs")


def _is_name(column: str, text: str | None) -> bool:
    if text is None:
        return True
    if column == "family":
        return _FAMILY.fullmatch(text) is not None
    return text.isprintable() and len(text) <= MOST_NAME_CHARS


def _is_like(found: pa.DataType, expected: pa.DataType) -> bool:
    """Return whether one type can be read as the other; widths of numbers may differ."""
    if pa.types.is_dictionary(found):
        found = found.value_type
    there = next((kind for kind, is_kind in _KINDS if is_kind(found)), None)
    wanted = next((kind for kind, is_kind in _KINDS if is_kind(expected)), None)
    if there != wanted:
        return (there, wanted) == ("whole number", "number") or pa.types.is_null(found)
    if wanted == "list":
        return _is_like(found.value_type, expected.value_type)
    if wanted == "struct":
        return {part.name for part in found} == {part.name for part in expected} and all(
            _is_like(found.field(part.name).type, part.type) for part in expected
        )
    return True
