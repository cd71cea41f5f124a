"""The tables of stored intervals: what the bootstrap writes and the views read."""

from mirror_ray.records.schema_file import schemas_in

_SCHEMAS = schemas_in("mirror_ray.analysis", "intervals.yaml")
INTERVALS = _SCHEMAS["intervals"]
DIFFERENCES = _SCHEMAS["differences"]
