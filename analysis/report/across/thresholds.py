"""The parameters of the views, and what each of them means."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

import pyarrow as pa

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import words
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.analysis.sql_files import default_values
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import family_yaml
from mirror_ray.core.untrusted import one_printable_line

_SHARED: Mapping[str, str] = MappingProxyType(
    {
        "model_facts": "sizes, labs and dates of models, stated by hand",
        "server_facts": "what is known of servers that the run started itself",
        "server_timeline": "when such servers came up and went",
    }
)
"""Parameter of all families → its meaning."""


def meanings(families: Collection[str] | None = None) -> dict[str, str]:
    """Return the meaning of each parameter, for these families, or by default for all."""
    found = dict(_SHARED)
    for family in METRICS:
        if families is None or family in families:
            found.update(family_yaml(family, "parameters.yaml"))
    return found


def thresholds(run: Reading) -> ReportTable:
    """Return the table of the families' parameters, and those that the reader set."""
    here, every = meanings(run.families()), meanings()
    rows = [
        {
            "parameter": name,
            "value": _said(run.settings.get(name, default)),
            "set by": "--set" if name in run.settings else "default",
            "what it is": every.get(name, ""),
        }
        for name, default in default_values().items()
        if name in here or name not in every or name in run.settings
    ]
    return ReportTable(
        "how_thresholds",
        "Thresholds and other choices of reading",
        "What the views take for granted; --set NAME=VALUE reads the same run otherwise.",
        "",
        pa.Table.from_pylist(rows),
        tuple(words(key, key) for key in ("parameter", "value", "set by", "what it is")),
        source="mirror-ray report --set",
    )


def _said(value: object) -> str:
    return "" if value is None else one_printable_line(str(value)).strip("'")
