"""The columns of `schemas.yaml`, which all families share. Families append those of
`mirror_ray.contract.columns`."""

import pyarrow as pa

from mirror_ray.records.schema_file import schemas_in

SCHEMA_VERSION = 4

_SCHEMAS = schemas_in("mirror_ray.records", "schemas.yaml")
IDENTITY = _SCHEMAS["identity"]
STEPS = pa.schema([*IDENTITY, *_SCHEMAS["steps"]])
EPISODES = pa.schema([*IDENTITY, *_SCHEMAS["episodes"]])


def with_family_columns(common: pa.Schema, family: pa.Schema) -> pa.Schema:
    """Return `common` followed by the family's columns; ValueError if both have a name."""
    twice = set(common.names) & set(family.names)
    if twice:
        raise ValueError(f"family columns repeat common ones: {sorted(twice)}")
    return pa.schema([*common, *family], metadata={"schema_version": str(SCHEMA_VERSION)})
