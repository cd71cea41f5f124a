"""The report's sections, one module each: a module in this folder is part of every report.

A module has a function ``section(run: Reading) -> Section | None``; None if the run has no data for
it. Modules are read in the order of their names, then the module ``sections`` of each plug-in.
"""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.metrics import METRICS
from mirror_ray.plugins import installed


def read_sections(run: Reading) -> tuple[Section, ...]:
    """Every section for which the run has data."""
    names = sorted(module.name for module in iter_modules(__path__))
    places = [f"{__name__}.{name}" for name in names]
    places += [
        f"{plugin.module}.sections"
        for name, plugin in sorted(installed("families").items())
        if name in set(METRICS) and find_spec(f"{plugin.module}.sections") is not None
    ]
    found = (import_module(place).section(run) for place in places)
    return tuple(section for section in found if section is not None)
