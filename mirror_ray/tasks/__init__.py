"""The benchmark families. No family imports another."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.tasks import flipset, marktest, metacog, mirrorqa, selfid, textmirror
from mirror_ray.tasks.family import Family

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        family.name: family
        for family in (
            selfid.FAMILY,
            flipset.FAMILY,
            mirrorqa.FAMILY,
            textmirror.FAMILY,
            metacog.FAMILY,
            marktest.FAMILY,
        )
    }
)
"""Name → family: the values of a sweep's ``family:``."""
