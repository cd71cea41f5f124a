"""Where families lie: each in a folder of `mirror_ray.families`, or in another package.

What a family has beside its `FAMILY` is found by the module's name in its package: `agents`,
`sections`, `form`, `tables`, `intervals`, and the folder ``sql``.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Generic, TypeVar

from mirror_ray.core.plugin_imports import as_plugin
from mirror_ray.core.plugins import installed

T = TypeVar("T")
FAMILIES_PACKAGE = "mirror_ray.families"

FAMILY_NAMES = tuple(
    sorted(one.name for one in iter_modules(import_module(FAMILIES_PACKAGE).__path__) if one.ispkg)
)
"""The families of this package: the folders that are there."""


class OfEachFamily(Mapping[str, T], Generic[T]):
    """Family of this package → what its module states, imported when it is asked for.

    All of them take half of what a Simulator imports, and most sweeps play one.

    Args:
        part: the module of each family's package.
        of: takes what is wanted from the module.
    """

    def __init__(self, part: str, of: Callable[[ModuleType], T]) -> None:
        self._part, self._of = part, of
        self._found: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in FAMILY_NAMES:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._of(import_module(f"{FAMILIES_PACKAGE}.{name}.{self._part}"))
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in FAMILY_NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(FAMILY_NAMES)

    def __len__(self) -> int:
        return len(FAMILY_NAMES)


def module_of(family: str, part: str) -> ModuleType | None:
    """A module of a family's package; None where the package has none of that name.

    Args:
        family: a name that this package or an installed one has.

    Raises:
        PluginError: the module of another package cannot be imported.
    """
    if family in FAMILY_NAMES:
        return _imported(f"{FAMILIES_PACKAGE}.{family}.{part}")
    plugin = installed("families").get(family)
    if plugin is None:
        return None
    with as_plugin(plugin.words, plugin.package):
        return _imported(f"{plugin.module}.{part}")


def _imported(place: str) -> ModuleType | None:
    return None if find_spec(place) is None else import_module(place)
