"""The report's sections: each family's own, and those of what several families share.

A family's module `sections` states `SECTIONS`: functions ``(run: Reading) -> Section | None``, None
where the run has no data for it. The modules of this folder have a function `section` of that kind.
"""

from collections.abc import Iterator

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.replies import replies_of, with_replies
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.sections import people, sureness
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import module_of
from mirror_ray.core.plugin_imports import as_plugin
from mirror_ray.core.plugins import installed

_SHARED = (people.section, sureness.section)


def read_sections(run: Reading) -> tuple[Section, ...]:
    """Every section for which the run has data.

    Raises:
        PluginError: the code of another package's family failed.
    """
    own = (
        with_replies(one, replies_of(run, name))
        for name in run.families()
        if name in METRICS
        for one in _of_family(name, run)
        if one is not None
    )
    shared = (section(run) for section in _SHARED)
    return tuple(section for section in (*own, *shared) if section is not None)


def _of_family(name: str, run: Reading) -> Iterator[Section | None]:
    module = module_of(name, "sections")
    if module is None:
        return
    plugin = installed("families").get(name)
    for section in module.SECTIONS:
        if plugin is None:
            yield section(run)
        else:
            with as_plugin(plugin.words, plugin.package):
                made = section(run)
            yield made
