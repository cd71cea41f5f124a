"""The columns of each family's rows besides the common ones: the contract of tasks and analysis.

A module of a family states names, types and meanings, and imports nothing but Arrow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class FamilyColumns:
    """What a family appends to `records.schemas.STEPS` and to `records.schemas.EPISODES`."""

    steps: pa.Schema
    episodes: pa.Schema


FAMILY_NAMES = ("selfid", "flipset", "mirrorqa", "textmirror", "metacog", "marktest")
"""The families of this package. Each has a module of its name here and in `mirror_ray.metrics`, and
a folder in `mirror_ray.tasks` and `mirror_ray.agents`, which are found by it."""

COLUMNS: Mapping[str, FamilyColumns] = MappingProxyType(
    {
        name: FamilyColumns(module.STEP_COLUMNS, module.EPISODE_COLUMNS)
        for name in FAMILY_NAMES
        for module in (import_module(f"{__name__}.{name}"),)
    }
)
"""Family → its columns in this release. Shards of earlier releases may lack some of them."""
