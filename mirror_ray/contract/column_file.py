"""Read a family's columns from its `columns.yaml`: names, types, and comments on their meaning."""

import pyarrow as pa

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.records.schema_file import fields_of


def column_file(
    package: str, also_steps: tuple[pa.Field, ...] = (), also_episodes: tuple[pa.Field, ...] = ()
) -> tuple[pa.Schema, pa.Schema, tuple[str, ...]]:
    """Return the columns of steps and of episodes, and the names of the steps' ground truth.

    Args:
        package: a family's; the file is in it.
        also_steps, also_episodes: further columns, which several families share.
    """
    said = shipped_yaml(package, "columns.yaml")
    return (
        pa.schema([*fields_of(said["steps"]), *also_steps]),
        pa.schema([*fields_of(said["episodes"]), *also_episodes]),
        tuple(said["facts"]),
    )
