"""The families by name: those of this package and of plug-ins."""

from importlib import import_module
from typing import Any, cast

from mirror_ray.contract.columns import require_declared
from mirror_ray.contract.family import Family
from mirror_ray.contract.packages import FAMILIES_PACKAGE, OfEachFamily
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin


def _plugged_in(plugin: Plugin, family: Any) -> Family:
    require_declared(plugin, family)
    if not isinstance(family, Family):
        raise PluginError(
            f"{plugin.words}: names no family",
            repr(type(family)),
            "an instance of mirror_ray.contract.family.Family",
            "correct the entry point",
        )
    return family


def _own(name: str) -> Family:
    return cast("Family", import_module(f"{FAMILIES_PACKAGE}.{name}.family").FAMILY)


FAMILIES: Extended[Family] = Extended("families", OfEachFamily(_own), _plugged_in)
"""The values of a sweep's ``family:``. Each family is imported when it is looked up."""
