"""The columns of each family's rows besides the common ones: the contract of tasks and analysis.

A module of a family states names, types and meanings, and imports nothing but Arrow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pyarrow as pa

from mirror_ray.columns import flipset, marktest, metacog, mirrorqa, selfid, textmirror


@dataclass(frozen=True, slots=True)
class FamilyColumns:
    """What a family appends to `records.schemas.STEPS` and to `records.schemas.EPISODES`."""

    steps: pa.Schema
    episodes: pa.Schema


COLUMNS: Mapping[str, FamilyColumns] = MappingProxyType(
    {
        family: FamilyColumns(module.STEP_COLUMNS, module.EPISODE_COLUMNS)
        for family, module in (
            ("selfid", selfid),
            ("flipset", flipset),
            ("mirrorqa", mirrorqa),
            ("textmirror", textmirror),
            ("metacog", metacog),
            ("marktest", marktest),
        )
    }
)
"""Family → its columns in this release. Shards of earlier releases may lack some of them."""
