"""The benchmark families. No family imports another."""

from importlib import import_module
from typing import Any, cast

from mirror_ray.columns import FAMILY_NAMES, require_declared
from mirror_ray.errors import PluginError
from mirror_ray.plugins import Extended, Plugin
from mirror_ray.tasks.family import Family


def _plugged_in(plugin: Plugin, family: Any) -> Family:
    require_declared(plugin, family)
    if not isinstance(family, Family):
        raise PluginError(
            f"{plugin.words}: names no family",
            repr(type(family)),
            "an instance of mirror_ray.tasks.family.Family",
            "correct the entry point",
        )
    return family


FAMILIES: Extended[Family] = Extended(
    "families",
    {name: cast("Family", import_module(f"{__name__}.{name}").FAMILY) for name in FAMILY_NAMES},
    _plugged_in,
)
"""Name → family: the values of a sweep's ``family:``. Those of other packages are imported when
they are asked for."""
