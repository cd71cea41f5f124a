"""The columns of `schemas.yaml`, which all families share, and how a YAML file states columns: each
with its type, and `not null` if it always has a value.

Families append those of `mirror_ray.contract.columns`."""

from typing import Any

import pyarrow as pa

from mirror_ray.core.shipped_files import shipped_yaml

SCHEMA_VERSION = 4

_TYPES = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
}


def schemas_in(package: str, name: str) -> dict[str, pa.Schema]:
    """Return the schema of each table in a package's YAML file."""
    tables = shipped_yaml(package, name)
    return {table: pa.schema(fields_of(columns)) for table, columns in tables.items()}


def fields_of(columns: dict[str, Any]) -> list[pa.Field]:
    """Return fields from types by column. A list with one type is a list, a mapping a structure."""
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


_SCHEMAS = schemas_in("mirror_ray.records", "schemas.yaml")
IDENTITY = _SCHEMAS["identity"]
STEPS = pa.schema([*IDENTITY, *_SCHEMAS["steps"]])
EPISODES = pa.schema([*IDENTITY, *_SCHEMAS["episodes"]])


def with_family_columns(common: pa.Schema, family: pa.Schema) -> pa.Schema:
    """Return `common` followed by the family's columns. Raise ValueError if a name is in both."""
    twice = set(common.names) & set(family.names)
    if twice:
        raise ValueError(f"family columns repeat common ones: {sorted(twice)}")
    return pa.schema([*common, *family], metadata={"schema_version": str(SCHEMA_VERSION)})
