"""The columns of each family's rows besides the common ones, shared by families and analysis."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from mirror_ray.contract.packages import OfEachFamily, family_yaml
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.records.schemas import fields_of


@dataclass(frozen=True, slots=True)
class FamilyColumns:
    """The columns that a family adds to `records.schemas.STEPS` and `records.schemas.EPISODES`.
    `facts` are the step columns with ground truth."""

    steps: pa.Schema
    episodes: pa.Schema
    facts: tuple[str, ...]


@cache
def columns_of(family: str) -> FamilyColumns:
    """Read a family's `columns.yaml`: names, types, and comments on their meaning."""
    said = family_yaml(family, "columns.yaml")
    channel = said.get("has_channel", False)
    also = shipped_yaml("mirror_ray.contract", "channel_columns.yaml") if channel else {}
    steps, episodes = (
        pa.schema([*fields_of(said[table]), *fields_of(also.get(table, {}))])
        for table in ("steps", "episodes")
    )
    return FamilyColumns(steps, episodes, tuple(said.get("facts", ())))


def _declared(plugin: Plugin, family: Any) -> FamilyColumns:
    require_declared(plugin, family)
    return FamilyColumns(family.step_columns, family.episode_columns, family.fact_columns)


COLUMNS: Mapping[str, FamilyColumns] = Extended("families", OfEachFamily(columns_of), _declared)
"""Family → its columns in this release. Shards of earlier releases may lack some of them."""


def require_declared(plugin: Plugin, family: Any) -> None:
    """Raise PluginError if an entry point names something that cannot be a family."""
    if getattr(family, "name", None) != plugin.name:
        raise PluginError(
            f"{plugin.words}: names no family {plugin.name}",
            repr(family)[:200],
            f"a mirror_ray.contract.family.Family with name={plugin.name!r}",
            "correct the entry point, or the family's name",
        )
