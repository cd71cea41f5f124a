"""Read Arrow schemas from YAML: column → its type, and `not null` where it always has a value."""

from typing import Any

import pyarrow as pa

from mirror_ray.core.shipped_files import shipped_yaml

_TYPES = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
}


def schemas_in(package: str, name: str) -> dict[str, pa.Schema]:
    """Return table → schema of a package's YAML file."""
    tables = shipped_yaml(package, name)
    return {table: pa.schema(fields_of(columns)) for table, columns in tables.items()}


def fields_of(columns: dict[str, Any]) -> list[pa.Field]:
    """Return the fields of column → type. A list of one type is a list, a mapping a structure."""
    return [
        pa.field(name, _type(kind), nullable=not str(kind).endswith(" not null"))
        for name, kind in columns.items()
    ]


def _type(kind: Any) -> pa.DataType:
    if isinstance(kind, list):
        return pa.list_(_type(kind[0]))
    if isinstance(kind, dict):
        return pa.struct(fields_of(kind))
    return _TYPES[kind.removesuffix(" not null")]
