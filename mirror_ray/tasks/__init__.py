"""The benchmark families. No family imports another."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import cast

from mirror_ray.columns import FAMILY_NAMES
from mirror_ray.tasks.family import Family

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {name: cast("Family", import_module(f"{__name__}.{name}").FAMILY) for name in FAMILY_NAMES}
)
"""Name → family: the values of a sweep's ``family:``."""
