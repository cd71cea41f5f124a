"""Read a family's columns from its `columns.yaml`: names, types, and comments on their meaning."""

from typing import Any

import pyarrow as pa

from mirror_ray.core.shipped_files import shipped_yaml

_TYPES = {
    "string": pa.string(),
    "int32": pa.int32(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
}


def column_file(
    package: str, also_steps: tuple[pa.Field, ...] = (), also_episodes: tuple[pa.Field, ...] = ()
) -> tuple[pa.Schema, pa.Schema, tuple[str, ...]]:
    """Return the columns of steps and of episodes, and the names of the steps' ground truth.

    Args:
        package: a family's; the file is in it.
        also_steps, also_episodes: further columns, which several families share.
    """
    said = shipped_yaml(package, "columns.yaml")
    steps = [pa.field(name, _type(kind)) for name, kind in said["steps"].items()]
    episodes = [pa.field(name, _type(kind)) for name, kind in said["episodes"].items()]
    return (
        pa.schema([*steps, *also_steps]),
        pa.schema([*episodes, *also_episodes]),
        tuple(said["facts"]),
    )


def _type(kind: Any) -> pa.DataType:
    return pa.list_(_TYPES[kind[0]]) if isinstance(kind, list) else _TYPES[kind]
