"""The columns of each family's rows besides the common ones: what families and analysis agree on.

A family's module `columns` gives names and types, of this package's families from `columns.yaml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from mirror_ray.contract.packages import OfEachFamily
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin


@dataclass(frozen=True, slots=True)
class FamilyColumns:
    """The columns that a family adds to `records.schemas.STEPS` and `records.schemas.EPISODES`."""

    steps: pa.Schema
    episodes: pa.Schema


def _declared(plugin: Plugin, family: Any) -> FamilyColumns:
    require_declared(plugin, family)
    return FamilyColumns(family.step_columns, family.episode_columns)


COLUMNS: Mapping[str, FamilyColumns] = Extended(
    "families",
    OfEachFamily("columns", lambda of: FamilyColumns(of.STEP_COLUMNS, of.EPISODE_COLUMNS)),
    _declared,
)
"""Family → its columns in this release. Shards of earlier releases may lack some of them."""


def require_declared(plugin: Plugin, family: Any) -> None:
    """Check that an entry point names something that can be a family.

    Raises:
        PluginError: it names something else.
    """
    if getattr(family, "name", None) != plugin.name:
        raise PluginError(
            f"{plugin.words}: names no family {plugin.name}",
            repr(family)[:200],
            f"a mirror_ray.contract.family.Family with name={plugin.name!r}",
            "correct the entry point, or the family's name",
        )
