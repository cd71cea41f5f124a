"""The report's sections, one module each: a module in this folder is part of every report.

A module has a function ``section(run: Reading) -> Section | None``; None if the run has no data for
it. Modules are read in the order of their names, then the module ``sections`` of each plug-in.
"""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.plugin_imports import as_plugin
from mirror_ray.core.plugins import Plugin, installed


def read_sections(run: Reading) -> tuple[Section, ...]:
    """Every section for which the run has data."""
    names = sorted(module.name for module in iter_modules(__path__))
    found = [import_module(f"{__name__}.{name}").section(run) for name in names]
    found += [
        _of_plugin(plugin, run)
        for name, plugin in sorted(installed("families").items())
        if name in run.families() and name in METRICS
    ]
    return tuple(section for section in found if section is not None)


def _of_plugin(plugin: Plugin, run: Reading) -> Section | None:
    """The section of a family that the run has; None without a module for it.

    Raises:
        PluginError: its code failed.
    """
    with as_plugin(plugin.words, plugin.package):
        place = f"{plugin.module}.sections"
        if find_spec(place) is None:
            return None
        section: Section | None = import_module(place).section(run)
        return section
