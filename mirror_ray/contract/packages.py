"""Finds the packages of families: folders of `mirror_ray.families`, and packages of plug-ins.

The optional parts of a family are modules of its package, found by name: `agents`, `sections`,
`form`, `tables`, `intervals`, `published_prompts`, the folders ``sql`` and ``prompts``, and the
files ``parameters.yaml`` (what `--set` may change) and ``glossary.yaml`` (the meanings of its
tables' headings)."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Generic, TypeVar

from mirror_ray.core.plugins import as_plugin, installed
from mirror_ray.core.shipped_files import shipped_yaml

_T = TypeVar("_T")
FAMILIES_PACKAGE = "mirror_ray.families"

FAMILY_NAMES = tuple(
    sorted(one.name for one in iter_modules(import_module(FAMILIES_PACKAGE).__path__) if one.ispkg)
)
"""The families of this package, one per folder, sorted."""


class OfEachFamily(Mapping[str, _T], Generic[_T]):
    """Maps each family of this package to an object that is made on first use.

    Importing all families takes half of a Simulator's import time, and most sweeps play one family.

    Args:
        of: makes the object, given the family's name.
    """

    def __init__(self, of: Callable[[str], _T]) -> None:
        self._of = of
        self._found: dict[str, _T] = {}

    def __getitem__(self, name: str) -> _T:
        if name not in FAMILY_NAMES:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._of(name)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in FAMILY_NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(FAMILY_NAMES)

    def __len__(self) -> int:
        return len(FAMILY_NAMES)


def module_of(family: str, part: str) -> ModuleType | None:
    """Return a module of a family's package, or None if the package does not have it. Raise
    PluginError if the module of a plug-in cannot be imported."""
    if family in FAMILY_NAMES:
        return _imported(f"{FAMILIES_PACKAGE}.{family}.{part}")
    plugin = installed("families").get(family)
    if plugin is None:
        return None
    with as_plugin(plugin.words, plugin.package):
        return _imported(f"{plugin.module}.{part}")


def package_of(family: str) -> str:
    """Return the name of the package of a family, built in or plugged in."""
    plugin = None if family in FAMILY_NAMES else installed("families").get(family)
    return plugin.module if plugin else f"{FAMILIES_PACKAGE}.{family}"


def family_yaml(family: str, name: str) -> dict[str, Any]:
    """Return the data of a YAML file in a family's folder; empty if the file is missing."""
    file = files(package_of(family)) / name
    return dict(shipped_yaml(package_of(family), name)) if file.is_file() else {}


def _imported(place: str) -> ModuleType | None:
    return None if find_spec(place) is None else import_module(place)
