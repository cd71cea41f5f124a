"""What the views take for granted, and what each of it means."""

from collections.abc import Mapping

import pyarrow as pa

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import words
from mirror_ray.analysis.report.section import Table
from mirror_ray.analysis.sql_files import default_values
from mirror_ray.core.untrusted import one_printable_line

MEANINGS: Mapping[str, tuple[str, str]] = {
    "conformal_alpha": ("metacog", "how often a wrong answer may go ahead, where a conformal "
                        "quantile decides"),
    "escalation_cost": ("metacog", "what handing a part over costs, in successes"),
    "evidence": ("selfid", "what counts as evidence: the own reflection, or any sight of the "
                 "mirror"),
    "judge": ("metacog", "whose readings of replies count, where several models judged"),
    "matching": ("metacog", "when an answer counts as right: strict, lenient, or a judge"),
    "mirror_px_grid": ("selfid", "pixels of reflection for which the curves are drawn"),
    "mirror_px_threshold": ("selfid", "pixels of the own reflection from which a frame is "
                            "evidence, at 640×480"),
    "model_facts": ("", "sizes, makers and dates of models, stated by hand"),
    "model_sizes": ("metacog", "parameters of models, in billions, stated by hand"),
    "near_radius_grid": ("selfid", "distances for which the curves are drawn, in metres"),
    "near_radius_m": ("selfid", "how near a cube is near, in metres between centres"),
    "resolver_accuracy": ("metacog", "how often whoever takes a part over is right"),
    "resolver_ms": ("metacog", "how long whoever takes over needs for a part, in milliseconds"),
    "resolver_usd": ("metacog", "what whoever takes over costs for a part, in dollars"),
    "server_facts": ("", "what is known of servers that the run started itself"),
    "server_timeline": ("", "when such servers came up and went"),
    "weak_below": ("metacog", "natural accuracy below which a domain is weak, by that policy"),
    "weak_lowest": ("metacog", "how many of the lowest domains are weak, by that policy"),
    "weak_policy": ("metacog", "by which policy domains are weak"),
}  # fmt: skip
"""Parameter → the family that reads it ("" where all do), and what it is."""


def thresholds(run: Reading) -> Table:
    """Those of the run's families, and whatever was set for this reading."""
    families = {*run.families(), ""}
    rows = [
        {
            "parameter": name,
            "value": _said(run.settings.get(name, default)),
            "set by": "--set" if name in run.settings else "default",
            "what it is": what,
        }
        for name, default in default_values().items()
        for family, what in (MEANINGS.get(name, ("", "")),)
        if family in families or name in run.settings
    ]
    return Table(
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
