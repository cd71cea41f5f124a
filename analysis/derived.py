"""Writes what is computed once at the end of a run: views, intervals and paired tests."""

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.warehouse import open_run, write_views
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import module_of


def write_derived(directory: str) -> None:
    """Write views, intervals and paired tests into a run directory, replacing earlier ones. A
    family may store further intervals: its module `intervals` then has the function
    ``write_intervals(directory, run=...)``. Raise OSError if a file cannot be written."""
    write_views(directory)
    # All three read the same scores, which are computed at the opening.
    with open_run(directory, hold=True) as run:
        bootstrap_run(directory, run=run)
        for family in METRICS:
            if (module := module_of(family, "intervals")) is not None:
                module.write_intervals(directory, run=run)
        compare_run(directory, run=run)
