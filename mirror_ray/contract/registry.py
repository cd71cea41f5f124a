"""The benchmark families. No family imports another."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, cast

from mirror_ray.contract.columns import FAMILY_NAMES, require_declared
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin
from mirror_ray.contract.family import Family


class _Imported(Mapping[str, Family]):
    """This package's own, each imported when it is asked for: all of them take half of what a
    Simulator imports, and most sweeps play one."""

    def __getitem__(self, name: str) -> Family:
        if name not in FAMILY_NAMES:
            raise KeyError(name)
        return cast("Family", import_module(f"{__name__}.{name}").FAMILY)

    def __contains__(self, name: object) -> bool:
        return name in FAMILY_NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(FAMILY_NAMES)

    def __len__(self) -> int:
        return len(FAMILY_NAMES)


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


FAMILIES: Extended[Family] = Extended("families", _Imported(), _plugged_in)
"""Name → family: the values of a sweep's ``family:``. Each is imported when it is asked for."""
