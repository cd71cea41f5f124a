"""The report's sections, one module each: a module in this folder is part of every report.

A module has a function ``section(run: Reading) -> Section | None``; None if the run has no data for
it. Modules are read in the order of their names.
"""

from importlib import import_module
from pkgutil import iter_modules

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section


def read_sections(run: Reading) -> tuple[Section, ...]:
    """Every section for which the run has data."""
    names = sorted(module.name for module in iter_modules(__path__))
    found = (import_module(f"{__name__}.{name}").section(run) for name in names)
    return tuple(section for section in found if section is not None)
