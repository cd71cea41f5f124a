"""The report's sections, one module each: a module that is put here is part of every report.

A module has a function ``section(run: Reading) -> Section | None``; None where the run has nothing
for it. Modules are read in the order of their names.
"""

from importlib import import_module
from pkgutil import iter_modules

from analysis.reading import Reading
from analysis.report.section import Section


def read_sections(run: Reading) -> tuple[Section, ...]:
    """Every section that the run has something for."""
    names = sorted(module.name for module in iter_modules(__path__))
    found = (import_module(f"{__name__}.{name}").section(run) for name in names)
    return tuple(section for section in found if section is not None)
